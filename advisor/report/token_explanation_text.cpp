#include "advisor/report/token_explanation_text.h"

#include <cmath>

#include <fmt/format.h>

#include "advisor/full_name.h"
#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

// "+$120 a month", "the same a month".
std::string month_change(double difference, const Option& now) {
  return std::abs(difference) < 5e-4 * now.cost.value
             ? std::string("as much a month")
             : fmt::format("{}{} a month",
                           difference < 0 ? "-" : "+",
                           money(std::abs(difference), now.cost.unit));
}

// The same machines, shared alike, and as soon.
bool same_fleet(const TokenFleet& a, const TokenFleet& b) {
  return a.machines == b.machines && a.server.gpus_each() == b.server.gpus_each() &&
         a.server.attention == b.server.attention &&
         a.expected.latency.first_token_p99_s == b.expected.latency.first_token_p99_s;
}

std::string step_sentence(const TokenStep& step, const Option& now) {
  if (!step.option) {
    return fmt::format("{}: cannot, {}", step.what, step.reason);
  }
  const auto& then = *step.option;
  const auto& fleet = *then.tokens;
  if (same_fleet(fleet, *now.tokens)) {
    return step.what + ": the same fleet";
  }
  return fmt::format("{}: {} x {}, {}, ~{} per million tokens, {}",
                     step.what,
                     fleet.machines,
                     then.instance,
                     month_change(then.cost.value - now.cost.value, now),
                     fine_money(then.cost_per_1m_tokens, then.cost.unit),
                     waiting_words(fleet));
}

std::string machine_sentence(const TokenStep& step, const Option& now) {
  if (!step.option) {
    return fmt::format("{}: cannot, {}", step.what, step.reason);
  }
  const auto& fleet = *step.option->tokens;
  return fmt::format(
      "{} instead of {}: {}, {}, {} in time",
      fleet.machines,
      now.tokens->machines,
      month_change(step.option->cost.value - now.cost.value, now),
      is_saturated(fleet) ? "more sequences than they can write" : waiting_words(fleet),
      chance(fleet.p_enough));
}

}  // namespace

std::string token_verdict(const Explanation& explanation) {
  const auto& option = explanation.option;
  return fmt::format(
      "{} of it, {} each, ~{} a month, ~{} per million tokens written, {}; {} of all that it can "
      "write, {}",
      option.tokens->machines,
      replicas_text(option.tokens->server),
      money(option.cost.value, option.cost.unit),
      fine_money(option.cost_per_1m_tokens, option.cost.unit),
      waiting_words(*option.tokens),
      percent(option.tokens->utilisation),
      explanation.tokens->limit == TokenLimit::fullness
          ? "which is its limit"
          : "and what would limit more is " + token_limit_words(explanation.tokens->limit));
}

std::vector<std::string> token_limit_sentences(const Explanation& explanation) {
  const auto& margins = *explanation.tokens;
  const auto& option = explanation.option;
  const auto sure = percent(explanation.query.confidence);
  std::vector<std::string> sentences;
  if (margins.most_sequences_per_s > 0) {
    sentences.push_back(
        fmt::format("{} x {} answer up to {} sequences/s in time with {} confidence; {} stops them",
                    option.tokens->machines,
                    full_name(option),
                    digits(margins.most_sequences_per_s),
                    sure,
                    token_limit_words(margins.limit)));
  }
  sentences.push_back(fmt::format(
      "no number of {}, {} each, has 99% of first tokens sooner than {}{} with {} confidence",
      full_name(option),
      replicas_text(option.tokens->server),
      least_latency(margins.least_first_token_s),
      std::isnan(margins.least_token_s) ? std::string()
                                        : fmt::format(", or a token oftener than every {},",
                                                      least_latency(margins.least_token_s)),
      sure));
  return sentences;
}

std::vector<std::string> token_machine_sentences(const Explanation& explanation) {
  std::vector<std::string> sentences;
  for (const auto& step : explanation.tokens->machines) {
    sentences.push_back(machine_sentence(step, explanation.option));
  }
  return sentences;
}

std::vector<std::string> token_step_sentences(const Explanation& explanation) {
  std::vector<std::string> sentences;
  for (const auto& step : explanation.tokens->others) {
    sentences.push_back(step_sentence(step, explanation.option));
  }
  return sentences;
}

std::string token_neighbour(const Neighbour& row) {
  const auto& option = row.option;
  return fmt::format("{} ({}): {} of it, {}, ~{} per million tokens, {}",
                     full_name(option),
                     gpu_label(option),
                     option.tokens->machines,
                     month_change(row.cost_difference, option),
                     fine_money(option.cost_per_1m_tokens, option.cost.unit),
                     waiting_words(*option.tokens));
}

}  // namespace rightsize::report
