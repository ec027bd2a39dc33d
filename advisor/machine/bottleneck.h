// What limits a machine, in a word: one of the bounds, or what GPUs wait for of one another.
#pragma once

#include <string_view>

#include "models/pipeline.h"

namespace rightsize {

// Of GPUs that wait for one another's gradients for most of a step.
inline constexpr std::string_view exchange_bottleneck = "exchange";

[[nodiscard]] constexpr bool spent_on_exchange(double scaling_efficiency, Bound limited_by) {
  return limited_by == Bound::accelerator && scaling_efficiency < 0.5;
}

[[nodiscard]] inline std::string_view bottleneck_word(double scaling_efficiency, Bound limited_by) {
  return spent_on_exchange(scaling_efficiency, limited_by) ? exchange_bottleneck
                                                           : to_string(limited_by);
}

}  // namespace rightsize
