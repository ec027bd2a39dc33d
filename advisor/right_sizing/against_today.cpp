#include "advisor/right_sizing/against_today.h"

#include "advisor/full_name.h"
#include "advisor/judge/fleet_steps.h"
#include "advisor/judge/pair_chance.h"

namespace rightsize {

const Query& judged_by(const Query& query,
                       const Option& now,
                       const Query& chosen_by,
                       const Option& chosen) {
  constexpr const char* anywhere = "";
  const bool as_many = now.nodes == chosen.nodes;
  return as_many && is_same_machine(now, chosen, anywhere) ? query : chosen_by;
}

double chance_of_today(const Query& query,
                       const Appraisal& now,
                       const Query& chosen_by,
                       const Appraisal& chosen) {
  if (!query.serves()) {
    return chance_of_beating(chosen.uncertain, now.uncertain);
  }
  const auto steps_of = [](const Query& asked, const Option& option) {
    return asked.tokens ? FleetSteps(*asked.tokens, *option.tokens)
                        : FleetSteps(*asked.service, *option.service);
  };
  const auto& by = judged_by(query, now.option, chosen_by, chosen.option);
  const FleetSteps fleets[] = {steps_of(by, chosen.option), steps_of(query, now.option)};
  const double expected[] = {chosen.uncertain.log_mean, now.uncertain.log_mean};
  return chance_of_beating(chosen.uncertain, now.uncertain, [&](std::size_t i, double ln_factor) {
    return fleets[i].ln_score(expected[i], query.objective, ln_factor);
  });
}

bool is_same_machine(const Option& a, const Option& b, const std::string& place) {
  return full_name(a) == full_name(b) && (place.empty() || a.region == b.region);
}

std::optional<int>& machines_of(Query& query) {
  return query.tokens ? query.tokens->machines : query.service->machines;
}

std::optional<int> machines_of(const Query& query) {
  return query.tokens ? query.tokens->machines : query.service->machines;
}

}  // namespace rightsize
