// Which of two options is the better, whoever else there is: in closed form, or summed over the
// first's steps where costs move by whole machines. Nothing is drawn.
#pragma once

#include "advisor/judge/uncertain_cost.h"

namespace rightsize {

// Standard deviation of ln(a / b), of errors that count as much to either side: a cause that both
// share counts by its difference.
// `same_machine`: one machine supposed in two ways, whose own error is shared too.
[[nodiscard]] double ratio_log_sd(const UncertainCost& a,
                                  const UncertainCost& b,
                                  bool same_machine = false);

// P(`other` is better than `first`); where both cost the same, half of it. `steps` is asked with 0
// for the first and 1 for the other; without it a cost moves with the time, or as its bill does.
[[nodiscard]] double chance_of_beating(const UncertainCost& first,
                                       const UncertainCost& other,
                                       const StepCost& steps = {});

// It is at most this, in a fiftieth of the time; `steps` may say less of the other than it costs.
[[nodiscard]] double most_chance_of_beating(const UncertainCost& first,
                                            const UncertainCost& other,
                                            const StepCost& steps);

// The one rule of what is marked "=" and of whether today's machine is kept: with this chance or
// more of being the better, an option cannot be told apart from the one that ranks first.
inline constexpr double tie_chance = 0.3;
[[nodiscard]] constexpr bool cannot_be_told_apart(double p_better) {
  return p_better >= tie_chance;
}

// The other is the better more often than that; it may be dearer by more where it is not.
[[nodiscard]] constexpr bool is_likelier(double p_better) {
  return p_better > 1 - tie_chance;
}

}  // namespace rightsize
