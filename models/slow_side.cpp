#include "models/slow_side.h"

#include <algorithm>
#include <cmath>

#include "kernels/normal_distribution.h"
#include "models/crossing.h"
#include "models/laws/normal_quantile.h"

namespace rightsize {
namespace {

constexpr double outside = 0.05;       // of a 90 % interval, to one side
constexpr double large_exponent = 40;  // exp(-40) = 4e-18

// Where each of all resources were outside by a part of it, so many standard deviations.
constexpr double farthest = 2.2414;  // 1 - 0.05 / 4

}  // namespace

SlowSide::SlowSide(const Bounds& bounds, double items_per_s, double sharpness)
    : bounds_(resources_of(bounds)), sharpness_(sharpness) {
  std::transform(bounds_.begin(), bounds_.end(), ln_shares_.begin(), [&](double bound) {
    return sharpness * std::log(items_per_s / bound);
  });
}

void SlowSide::add(const Bounds& slower, double deviations) {
  const auto moved = resources_of(slower);
  for (std::size_t r = 0; r < resource_count; ++r) {
    if (moved[r] < bounds_[r] && !std::isinf(bounds_[r])) {
      const double sd = std::log(bounds_[r] / moved[r]) / deviations;
      squares_[r] += sd * sd;
    }
  }
}

// ln(X / x), the others as expected.
double SlowSide::slowed_by(std::size_t resource, double deviations) const {
  const double ln_share = ln_shares_[resource];
  const double exponent = sharpness_ * deviations * std::sqrt(squares_[resource]);
  return (exponent + ln_share > large_exponent
              ? exponent + ln_share
              : std::log1p(std::exp(exponent + ln_share) - std::exp(ln_share))) /
         sharpness_;
}

// That ln(X / x) is above so much.
double SlowSide::chance_of_more(double ln_slower) const {
  const double exponent = sharpness_ * ln_slower;
  double none = 1;
  for (std::size_t r = 0; r < resource_count; ++r) {
    if (squares_[r] > 0) {
      const double ln_needed = exponent > large_exponent
                                   ? exponent - ln_shares_[r]
                                   : std::log1p(std::expm1(exponent) * std::exp(-ln_shares_[r]));
      none *= normal_cdf(ln_needed / (sharpness_ * std::sqrt(squares_[r])));
    }
  }
  return 1 - none;
}

double SlowSide::log_sd() const {
  double least = 0;  // with one of them alone
  double most = 0;
  for (std::size_t r = 0; r < resource_count; ++r) {
    if (squares_[r] > 0) {
      least = std::max(least, slowed_by(r, normal_90));
      most = std::max(most, slowed_by(r, farthest));
    }
  }
  constexpr double same = 1e-3;
  const double beyond = least > 0 ? chance_of_more(least) - outside : 0;
  if (beyond < same) {
    return least / normal_90;
  }
  constexpr double near = 5e-3;
  const auto fewer = [&](double ln_slower) { return outside - chance_of_more(ln_slower); };
  return last_not_above(fewer, {least, most, -beyond, fewer(most)}, near * most) / normal_90;
}

}  // namespace rightsize
