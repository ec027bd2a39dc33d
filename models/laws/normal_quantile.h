// The quantile that turns a standard deviation into the ends of an interval.
#pragma once

namespace rightsize {

// Two-sided 90 %, of the normal: a value of logarithmic deviation s lies within exp(+-normal_90 s).
inline constexpr double normal_90 = 1.6449;

}  // namespace rightsize
