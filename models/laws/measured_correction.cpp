#include "models/laws/measured_correction.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>

namespace rightsize {

MeasuredCorrection measured_correction(const std::map<double, double>& known, double log_batch) {
  assert(!known.empty());
  const auto above = known.lower_bound(log_batch);
  if (above != known.end() && above != known.begin() && above->first > log_batch) {
    const auto below = std::prev(above);
    const double share = (log_batch - below->first) / (above->first - below->first);
    return {below->second + share * (above->second - below->second),
            0,
            std::min(log_batch - below->first, above->first - log_batch),
            below->first,
            above->first};
  }
  const auto nearest = above == known.end() ? std::prev(above) : above;
  const double far = std::abs(nearest->first - log_batch);
  return {nearest->second, far, far, nearest->first, nearest->first};
}

}  // namespace rightsize
