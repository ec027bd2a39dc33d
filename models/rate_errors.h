// How large the errors of checked rates are, and how wide intervals must be for them.
#pragma once

#include <cstddef>
#include <span>

#include "models/rate_validation.h"

namespace rightsize {

struct RateErrors {
  std::size_t figures = 0;
  double median_error = 0;  // of |predicted / published - 1|
  double p90_error = 0;
  double bias = 0;      // median of ln(predicted / published)
  double coverage = 0;  // share inside its 90 % interval
};

// Zeros without checks.
[[nodiscard]] RateErrors errors_of(std::span<const RateCheck> checks);

// What the standard deviation must be multiplied with for 90 % of the checks to be inside
// (split conformal prediction, Vovk, Gammerman & Shafer, 2005); 1 without checks. A publisher's
// figures err together, so that n checks of them count as n / (1 + (n - 1) publisher_alikeness), as
// means of alike samples do (Kish, "Survey Sampling", 1965, 5.4): hundreds of one do not speak for
// all.
[[nodiscard]] double conformal_factor(std::span<const RateCheck> checks);

// Set by hand: the more, the nearer to each publisher counting the same. VALIDATION.md has what is
// inside then.
inline constexpr double publisher_alikeness = 0.02;

}  // namespace rightsize
