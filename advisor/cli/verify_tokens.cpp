#include "advisor/cli/verify_tokens.h"

#include <fmt/format.h>

#include "advisor/query/usage_error.h"
#include "advisor/query/writing_words.h"
#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/units.h"
#include "advisor/tokens/weights_taken.h"
#include "models/predict.h"

namespace rightsize::cli {
namespace {

std::string paragraph(const std::string& text) {
  return report::wrapped(text, 91, "       ");
}

std::string nothing_to_run(const Query& query) {
  return paragraph(fmt::format(
      "verify has nothing to run for tokens: how fast {} writes them hangs on a GPU's memory and "
      "FLOP/s, which no limit on this machine emulates.",
      query.network));
}

}  // namespace

void refuse_tokens(const Query& query, const Option& option) {
  // One machine alone with its share, whose p99 is later than the fleet's of one queue.
  auto share = *query.tokens;
  share.sequences_per_s /= option.tokens->machines;
  share.machines = 1;
  const auto fleet =
      size_token_fleet(share, option.tokens->server, option.cost.confidence, normal_90);
  const auto wait = [&](double DecodeLatency::*which) {
    return report::latency_text(
        waiting_of(fleet, which, option.cost.confidence, option.throughput.source));
  };
  auto text = nothing_to_run(query);
  text += fmt::format("       Next: rightsize simulate {} --machine {}/{} plays its queue\n",
                      query.file,
                      option.provider,
                      option.instance);
  text += "       " +
          paragraph(fmt::format(
              "Or measure it: rent one {}, serve {} on it ({}; {}), send it {} sequences/s of {} "
              "tokens in and {} out{} {}, and compare p99 with {} to the first token "
              "and {} a token",
              option.instance,
              query.network,
              form_words(fleet.server),
              replicas_text(fleet.server),
              report::digits(share.sequences_per_s),
              query.tokens->prompt_tokens,
              query.tokens->output_tokens,
              query.tokens->spreads() ? " (in the mean, spread as [service] says)" : "",
              query.tokens->burst > 1 ? fmt::format("in bursts of {:g} in the mean at random times",
                                                    query.tokens->burst)
                                      : "at random times",
              wait(&DecodeLatency::first_token_p99_s),
              wait(&DecodeLatency::token_p99_s)));
  text.pop_back();  // the line's end, which an error gets
  throw UsageError(text);
}

void refuse_texts(const Query& query, const Option& option) {
  constexpr double minutes = 10;
  auto text = nothing_to_run(query);
  text += "       " + paragraph(fmt::format(
                          "Measure it instead: rent one {} for {:g} minutes, have {} write {} "
                          "texts on it ({}{}; {} "
                          "in flight), and compare with ~{} texts/s ({} … {})",
                          option.instance,
                          minutes,
                          query.network,
                          report::digits(minutes * 60 * option.throughput.value / option.nodes),
                          text_lengths(query.writing),
                          narrowed_words(query),
                          option.batch_per_gpu,
                          report::digits(option.throughput.value / option.nodes),
                          report::digits(option.throughput.low / option.nodes),
                          report::digits(option.throughput.high / option.nodes)));
  text.pop_back();  // the line's end, which an error gets
  throw UsageError(text);
}

}  // namespace rightsize::cli
