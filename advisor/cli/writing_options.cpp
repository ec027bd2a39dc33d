#include "advisor/cli/writing_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/cli/flag_word.h"
#include "advisor/cli/large_model_options.h"
#include "advisor/query/batch_limit.h"
#include "advisor/query/usage_error.h"
#include "advisor/query/writing_words.h"
#include "kernels/engine.h"
#include "kernels/network.h"
#include "models/laws/decode_work.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* flags[] = {"prompt-tokens", "output-tokens", "weights", "caches"};

// A service that writes tokens has lengths and forms of its own.
void refuse_service(const Values& values, const std::optional<TokenService>& service) {
  for (const auto* flag : flags) {
    if (service && values.count(flag) > 0) {
      throw UsageError(
          fmt::format("--{}: [service] of the job file says it; change it there", flag));
    }
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

void read_form(const Values& values, Writing& writing) {
  if (values.count("weights") > 0) {
    const auto& text = values["weights"].as<std::string>();
    const auto weights = parse_narrow_weights(text);
    if (!weights) {
      throw UsageError(
          fmt::format("--weights {}: expected {}; without it they are as wide as the "
                      "precision",
                      text,
                      narrow_weights_grammar));
    }
    writing.weights = *weights;
  }
  if (values.count("caches") > 0) {
    const auto& text = values["caches"].as<std::string>();
    if (text != "fp8") {
      throw UsageError(fmt::format("--caches {}: expected fp8, of keys and values", text));
    }
    writing.fp8_caches = true;
  }
}

}  // namespace

void add_writing_options(Options& options) {
  options.add_options()("prompt-tokens",
                        po::value<int>(),
                        "of each text of a list, read (phase decode); where neither flag nor job "
                        "file says it, tokens are written one after another")(
      "output-tokens", po::value<int>(), "of each text, written after its prompt")(
      "weights",
      po::value<std::string>(),
      "held and read as fp8, int8, int4, nvfp4 or mxfp4 (phase decode)")(
      "caches", po::value<std::string>(), "fp8, of keys and values (phase decode)");
}

void read_writing(const Values& values, Configuration& asked) {
  refuse_service(values, asked.tokens);
  read_length(values, "prompt-tokens", asked.writing.prompt_tokens);
  read_length(values, "output-tokens", asked.writing.output_tokens);
  if (values.count("serve") > 0) {
    take_usual_lengths(asked.writing);
  }
  if (asked.writing.of_texts() && given(values, "sequence")) {
    throw UsageError(
        "--sequence: a text is as long as --prompt-tokens and --output-tokens are together; leave "
        "it out");
  }
  read_form(values, asked.writing);
  if (const auto misfit = writing_misfit(asked)) {
    refuse_misfit(*misfit);
  }
  if (asked.writing.of_texts()) {
    asked.sequence = asked.writing.prompt_tokens + asked.writing.output_tokens;
  }
}

void read_writing(const Values& values, Query& query) {
  if (query.phase != Phase::decode) {
    return;
  }
  refuse_service(values, query.tokens);
  read_form(values, query.writing);
  const bool longer = values.count("prompt-tokens") + values.count("output-tokens") > 0;
  if (!query.writing.of_texts() || !longer) {
    return;
  }
  read_length(values, "prompt-tokens", query.writing.prompt_tokens);
  read_length(values, "output-tokens", query.writing.output_tokens);
  query.sequence = query.writing.prompt_tokens + query.writing.output_tokens;
  try {
    static_cast<void>(make_network(query.network, query.sequence));
  } catch (const EngineError& error) {
    throw UsageError(fmt::format(
        "--{}: {}", values.count("prompt-tokens") > 0 ? flags[0] : flags[1], error.what()));
  }
}

}  // namespace rightsize::cli
