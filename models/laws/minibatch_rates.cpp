#include "models/laws/minibatch_rates.h"

#include <vector>

namespace rightsize {

std::optional<MinibatchTime> minibatch_time_of(int limit, const MinibatchRate& rate_of) {
  std::vector<MinibatchTime::Point> points;
  for (const int size : MinibatchTime::sizes(limit)) {
    const auto rate = rate_of(size);
    const int taken = rate ? size : limit;
    const auto given = rate || size < limit ? rate : rate_of(limit);
    if (!given) {
      return std::nullopt;
    }
    points.push_back({taken, taken / *given});
  }
  return MinibatchTime(points);
}

}  // namespace rightsize
