#include "advisor/cli/writing_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/cli/flag_word.h"
#include "advisor/cli/large_model_options.h"
#include "advisor/query/batch_limit.h"
#include "advisor/query/picture_words.h"
#include "advisor/query/usage_error.h"
#include "advisor/query/writing_words.h"
#include "kernels/engine.h"
#include "kernels/network.h"
#include "kernels/networks/vision_language/vision_language.h"
#include "models/laws/decode_work.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* flags[] = {
    "prompt-tokens", "output-tokens", "images", "image-size", "weights", "caches"};

constexpr int lengths = 4;  // of these the first say how long texts are

// A service that writes tokens has lengths of its own, which its limits belong to.
void refuse_lengths(const Values& values, const std::optional<TokenService>& service) {
  const auto* const said = std::find_if(
      flags, flags + lengths, [&](const char* flag) { return values.count(flag) > 0; });
  if (service && said != flags + lengths) {
    throw UsageError(
        fmt::format("--{}: [service] of the job file says it; change it there", *said));
  }
}

void read_length(const Values& values, const char* flag, int& tokens) {
  if (values.count(flag) == 0) {
    return;
  }
  tokens = values[flag].as<int>();
  if (!is_token_count(tokens)) {
    throw UsageError(fmt::format("--{} {}: expected {}", flag, tokens, token_count_grammar));
  }
}

// Of simulate --serve, which is asked for one of them too.
void take_usual_lengths(Writing& writing) {
  constexpr DecodeLoad usual;
  if (writing.prompt_tokens > 0 || writing.output_tokens > 0) {
    writing.prompt_tokens = writing.prompt_tokens > 0 ? writing.prompt_tokens : usual.prompt_tokens;
    writing.output_tokens = writing.output_tokens > 0 ? writing.output_tokens : usual.output_tokens;
  }
}

void read_form(const Values& values, Precision precision, Writing& writing) {
  if (values.count("weights") > 0) {
    const auto& text = values["weights"].as<std::string>();
    const auto weights = parse_weights(text, precision);
    if (!weights && !says_as_published(text)) {
      throw UsageError(
          fmt::format("--weights {}: expected {}; without it they are as the network is published",
                      text,
                      weights_grammar));
    }
    writing.weights = weights;
  }
  if (values.count("caches") > 0) {
    const auto& text = values["caches"].as<std::string>();
    if (text != "fp8") {
      throw UsageError(fmt::format("--caches {}: expected fp8, of keys and values", text));
    }
    writing.fp8_caches = true;
  }
}

// Of a service or of texts, wherever the work has it.
void read_form(const Values& values,
               Precision precision,
               std::optional<TokenService>& service,
               Writing& writing) {
  if (!service) {
    read_form(values, precision, writing);
    return;
  }
  Writing form{0, 0, service->weights, service->fp8_caches};
  read_form(values, precision, form);
  service->weights = form.weights;
  service->fp8_caches = form.fp8_caches;
}

// The tokens of prompts' texts alone, while they are said anew.
void leave_pictures_out(const std::string& network, Writing& writing) {
  writing.prompt_tokens -= writing.prompt_tokens > 0 ? picture_tokens(network) : 0;
}

void require_prompts(const Values& values, const Writing& writing) {
  for (const auto* flag : {"images", "image-size"}) {
    if (values.count(flag) > 0 && !writing.of_texts()) {
      throw UsageError(fmt::format(
          "--{}: pictures are of prompts: say --prompt-tokens and --output-tokens too", flag));
    }
  }
}

void take_pictures_in(const Values& values, std::string& network, Writing& writing) {
  const auto word = [&](const char* flag) {
    return values.count(flag) > 0 ? values[flag].as<std::string>() : std::string();
  };
  network = network_with_pictures(network, word("images"), word("image-size"));
  writing.prompt_tokens += writing.prompt_tokens > 0 ? picture_tokens(network) : 0;
}

}  // namespace

void add_writing_options(Options& options) {
  options.add_options()("prompt-tokens",
                        po::value<int>(),
                        "of each text of a list, read (phase decode); where neither flag nor job "
                        "file says it, tokens are written one after another")(
      "output-tokens", po::value<int>(), "of each text, written after its prompt")(
      "images",
      po::value<std::string>(),
      "pictures of each prompt, beside its tokens, of a language model that sees (phase decode)")(
      "image-size",
      po::value<std::string>(),
      "their pixels, as 1280x720; 1024x1024 where neither flag nor name says it")(
      "weights",
      po::value<std::string>(),
      "held and read as fp8, int8, int4, nvfp4, mxfp4 or 16 bits (phase decode); where neither "
      "flag "
      "nor job file says it, as the network is published")(
      "caches", po::value<std::string>(), "fp8, of keys and values (phase decode)");
}

void read_writing(const Values& values, Configuration& asked) {
  refuse_lengths(values, asked.tokens);
  leave_pictures_out(asked.network, asked.writing);
  read_length(values, "prompt-tokens", asked.writing.prompt_tokens);
  read_length(values, "output-tokens", asked.writing.output_tokens);
  if (values.count("serve") > 0) {
    take_usual_lengths(asked.writing);
  }
  take_pictures_in(values, asked.network, asked.writing);
  if (asked.writing.of_texts() && given(values, "sequence")) {
    throw UsageError(
        "--sequence: a text is as long as --prompt-tokens and --output-tokens are together; leave "
        "it out");
  }
  read_form(values, asked.precision, asked.tokens, asked.writing);
  if (const auto misfit = writing_misfit(asked)) {
    refuse_misfit(*misfit);
  }
  require_prompts(values, asked.writing);
  if (asked.writing.of_texts()) {
    asked.sequence = asked.writing.prompt_tokens + asked.writing.output_tokens;
  }
}

void read_writing(const Values& values, Query& query) {
  if (query.phase != Phase::decode) {
    return;
  }
  refuse_lengths(values, query.tokens);
  read_form(values, query.precision, query.tokens, query.writing);
  const bool longer =
      std::any_of(flags, flags + lengths, [&](const char* flag) { return values.count(flag) > 0; });
  if (!query.writing.of_texts() || !longer) {
    return;
  }
  leave_pictures_out(query.network, query.writing);
  read_length(values, "prompt-tokens", query.writing.prompt_tokens);
  read_length(values, "output-tokens", query.writing.output_tokens);
  take_pictures_in(values, query.network, query.writing);
  query.sequence = query.writing.prompt_tokens + query.writing.output_tokens;
  try {
    static_cast<void>(make_network(query.network, query.sequence));
  } catch (const EngineError& error) {
    const auto* const said = *std::find_if(
        flags, flags + lengths, [&](const char* flag) { return values.count(flag) > 0; });
    throw UsageError(fmt::format("--{}: {}", said, error.what()));
  }
}

}  // namespace rightsize::cli
