#include "advisor/length_warnings.h"

#include <cmath>

#include <fmt/format.h>

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
  const double more = PromptSpread{server.lengths.prompt_cv(), server.work.prompt_curve}.mean();
  server.work.prompt_flops *= more;
  server.work.prompt_attention_flops *= more;
  return server;
}

}  // namespace

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
      "{} "
      "in time",
      service.prompt_stddev,
      service.output_stddev,
      machines > 0 ? fmt::format("{} x {} would answer", machines, chosen.instance)
                   : fmt::format("no number of {} would answer", chosen.instance)));
}

}  // namespace rightsize
