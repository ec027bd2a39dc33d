#include "models/laws/overflow.h"

#include <algorithm>
#include <cmath>

namespace rightsize {

// P(more than q requests) = chance exp(-decay q).
Overflow overflow_of(double utilisation, double group, double most, double full_s) {
  // The root of utilisation (e^x - 1) = x: from above, as the function is convex. At low load the
  // root is near ln(1 / load), which the second bound stays above without leaving the range of exp.
  double decay = std::min(2 * (1 - utilisation) / utilisation, 2 - 2 * std::log(utilisation));
  for (int i = 0; i < 60; ++i) {
    const double power = std::exp(decay);
    const double step = (utilisation * (power - 1) - decay) / (utilisation * power - 1);
    decay -= step;
    if (std::abs(step) < 1e-6 * decay) {
      break;
    }
  }
  const double dispersion = 2 * group - 1;
  decay /= dispersion;
  return {.chance = std::exp(-decay * 0.5826 * std::sqrt(utilisation * most * dispersion)),
          .rate = decay * most / full_s};
}

double delayed_beyond(const Overflow& overflow, double y_s, double width_s) {
  if (y_s <= 0) {
    return 1;
  }
  const double gone = std::exp(-overflow.rate * y_s);
  if (width_s <= 0) {
    return gone;
  }
  if (y_s < width_s) {
    return 1 - y_s / width_s + (1 - gone) / (overflow.rate * width_s);
  }
  return (std::exp(-overflow.rate * (y_s - width_s)) - gone) / (overflow.rate * width_s);
}

}  // namespace rightsize
