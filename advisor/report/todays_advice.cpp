#include "advisor/report/todays_advice.h"

#include <fmt/format.h>

#include "advisor/fleet/fleet_total.h"
#include "advisor/report/right_sizing_text.h"

namespace rightsize::report {

TodaysAdvice todays_advice(const Recommendation& answer) {
  using enum TodaysAdvice::Kind;
  const auto& today = *answer.current;
  if (today.finding == Finding::not_judged) {
    return {not_judged};
  }
  if (today.move && answer.chosen) {
    const auto& chosen = *answer.chosen;
    const bool same = today.current && is_same_kind(*today.current, chosen);
    return {!same || today.current->nodes == chosen.nodes ? move
            : chosen.nodes < today.current->nodes         ? fewer
                                                          : more,
            &chosen};
  }
  if (today.fewer) {
    return {fewer, &*today.fewer};
  }
  if (!today.current) {
    return {unable};
  }
  const auto* planned = planned_option(answer);
  return {planned == nullptr ? misses : stay, planned};
}

std::string advice_words(const Recommendation& answer) {
  using enum TodaysAdvice::Kind;
  const auto advice = todays_advice(answer);
  switch (advice.kind) {
    case move:
      return "move";
    case fewer:
      return fmt::format("keep {}", advice.take->nodes);
    case more:
      return fmt::format("grow to {}", advice.take->nodes);
    case stay:
      return "stay";
    case misses:
      return "misses";
    case unable:
      return "cannot do it";
    case not_judged:
      return "not judged";
  }
  return "";
}

bool leaves_signed_for(const Recommendation& answer) {
  return answer.current && is_signed_for(*answer.current) && todays_advice(answer).leaves();
}

std::string signed_sentence(const std::string& paid, const std::string& who) {
  return fmt::format(
      "Of today's {} are of machines that were signed for, and paid until that ends, used or not: "
      "until then {} saves so much less.",
      paid,
      who);
}

}  // namespace rightsize::report
