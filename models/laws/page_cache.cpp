#include "models/laws/page_cache.h"

#include <algorithm>
#include <cmath>

namespace rightsize {

double lru_permutation_hit_ratio(double cached) {
  const double c = std::clamp(cached, 0.0, 1.0);
  return c >= 1.0 ? 1.0 : c + (1.0 - c) * std::log(1.0 - c);
}

double page_cache_hit_ratio(const PageCacheLaw& law, double cached, bool shuffled) {
  const double c = std::clamp(cached, 0.0, 1.0);
  if (c >= 1.0) {
    return 1.0;
  }
  if (!shuffled) {
    return 0.0;
  }
  return (1.0 - law.protection) * lru_permutation_hit_ratio(c) + law.protection * c;
}

}  // namespace rightsize
