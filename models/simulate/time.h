// Simulated time: integer nanoseconds, so that adding the same spans in another order or on another
// machine gives the same instant.
#pragma once

#include <cstdint>
#include <limits>

namespace rightsize::simulate {

using Nanoseconds = std::int64_t;

// Later than anything, with room to add to it.
constexpr Nanoseconds never = std::numeric_limits<Nanoseconds>::max() / 2;

[[nodiscard]] constexpr Nanoseconds from_seconds(double seconds) {
  return seconds >= static_cast<double>(never) * 1e-9
             ? never
             : static_cast<Nanoseconds>(seconds * 1e9 + 0.5);
}
[[nodiscard]] constexpr double to_seconds(Nanoseconds time) {
  return static_cast<double>(time) * 1e-9;
}

}  // namespace rightsize::simulate
