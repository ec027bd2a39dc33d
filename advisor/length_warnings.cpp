#include "advisor/length_warnings.h"

#include <cmath>

#include <fmt/format.h>

#include "advisor/export/longest_request.h"
#include "advisor/judge/mishap.h"
#include "advisor/tokens/token_service.h"

namespace rightsize {
namespace {

// Of the conversations with a provider's models in calibration/token_lengths.csv, over the means.
constexpr double prompts_cv = 0.96;
constexpr double outputs_cv = 0.77;

// `server` is made for the lengths' means alone.
TokenServer with_spread(TokenServer server, const TokenService& service) {
  server.lengths = service.lengths();
  spread_prompts(server.lengths, server.work);
  return server;
}

// Tokens of a hundredth of the sequences at the least.
double long_sequence(const TokenService& service) {
  constexpr double z_99 = 2.3263;
  const PromptSpread prompts{service.lengths().prompt_cv(), 0};
  return service.prompt_tokens * prompts.at(z_99) + service.output_tokens;
}

}  // namespace

void warn_of_long_sequences(Recommendation& answer) {
  constexpr int few = 64;  // in a replica's memory
  const auto& query = answer.query;
  if (!answer.chosen->tokens || !query.tokens->spreads()) {
    return;
  }
  const auto& service = *query.tokens;
  const double tokens = long_sequence(service);
  if (!takes_sequence(query.network, static_cast<int>(tokens))) {
    answer.warnings.push_back(fmt::format(
        "one of 100 sequences has {:.0f} tokens or more by prompt_tokens_stddev, which is more "
        "than {} reads: servers refuse or cut them, here they are counted whole; a smaller "
        "deviation "
        "leaves them out",
        tokens,
        query.network));
  }
  const int room = answer.chosen->tokens->expected.point.most_sequences;
  if (service.lengths().outputs().cv > 1 && room < few) {
    answer.warnings.push_back(fmt::format(
        "a replica holds {} sequences, and outputs spread by more than their mean: a few long ones "
        "fill it, and where its load is high first tokens may wait many times as long as is told",
        room));
  }
}

void warn_of_equal_lengths(Recommendation& answer) {
  const auto& chosen = *answer.chosen;
  if (!chosen.tokens || answer.query.tokens->spreads() || answer.query.tokens->machines) {
    return;
  }
  auto service = *answer.query.tokens;
  service.prompt_stddev = std::round(prompts_cv * service.prompt_tokens);
  service.output_stddev = std::round(outputs_cv * service.output_tokens);
  const int machines = token_machines_enough(
      service, with_spread(chosen.tokens->server, service), deviations_at(answer.query.confidence));
  if (machines == chosen.tokens->machines) {
    return;
  }
  answer.warnings.push_back(fmt::format(
      "all sequences are taken to be of the lengths said; were they spread as a provider's "
      "conversations are (prompt_tokens_stddev = {:g}, output_tokens_stddev = {:g} in [service]), "
      "{} in time",
      service.prompt_stddev,
      service.output_stddev,
      machines > 0 ? fmt::format("{} x {} would answer", machines, chosen.instance)
                   : fmt::format("no number of {} would answer", chosen.instance)));
}

}  // namespace rightsize
