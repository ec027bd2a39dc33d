// Plays a job on machines that are taken away, many times: the distribution that laws/spot.h
// approximates. Seeded.
#pragma once

#include <cstdint>
#include <vector>

#include "models/laws/spot.h"

namespace rightsize {

struct SpotSimulation {
  double mean_h = 0;
  double half_width_h = 0;  // of the mean's 99 % interval
  double mean_interruptions = 0;
  std::vector<double> hours;  // of each run, rising

  // The smallest time that `share` of the runs do not exceed.
  [[nodiscard]] double quantile_h(double share) const;
};

// `interval_s` as in `spot_time`. Runs that would take more than 1000 times `useful_h` end there.
[[nodiscard]] SpotSimulation simulate_spot(const SpotTerms& terms,
                                           double useful_h,
                                           int runs = 10'000,
                                           std::uint64_t seed = 1);

}  // namespace rightsize
