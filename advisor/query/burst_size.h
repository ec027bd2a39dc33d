// How many requests, or sequences, of a service come together: a mean, around which the sizes of
// bursts are spread geometrically.
#pragma once

#include <cmath>
#include <string_view>

namespace rightsize {

[[nodiscard]] constexpr bool is_burst_size(double mean) {
  return mean >= 1 && mean <= 10'000;
}

inline constexpr std::string_view burst_grammar = "on average, from 1 to 10000";

// Of 100 that come, 99 have fewer than so many of their own burst before them: P(k or more) is
// (1 - 1 / mean)^k of sizes that are spread so. 0 of such as come alone.
[[nodiscard]] inline double before_one_in_100(double mean) {
  return mean > 1 ? std::ceil(std::log(100.0) / -std::log1p(-1 / mean)) : 0;
}

}  // namespace rightsize
