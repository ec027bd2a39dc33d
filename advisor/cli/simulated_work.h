// How much `simulate` plays at most: so many steps of its loops, which take one core some ten to
// thirty seconds (tests/bench). What is asked beyond that is refused with what can be asked, as
// waiting longer would not make the answer another: its laws are less sure than its drawing.
#pragma once

#include <cstdint>

#include "advisor/cli/command.h"

namespace rightsize::cli {

inline constexpr double most_simulated_steps = 2e8;

// Steps of an item, with the runs that tell its stalls apart: ten million of them are played.
inline constexpr double steps_of_item = 20;

// --simulated-items: from `fewest` to as many as most_simulated_steps have with `steps_of_each`;
// the default is less where that is. Throws UsageError with the range.
[[nodiscard]] std::uint64_t simulated_items(const Values& values,
                                            std::uint64_t fewest,
                                            double steps_of_each);

}  // namespace rightsize::cli
