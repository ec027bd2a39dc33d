#include "models/simulate/spot.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "models/simulate/random.h"
#include "models/simulate/time.h"

namespace rightsize {
namespace {

using simulate::from_seconds;
using simulate::Nanoseconds;
using simulate::never;
using simulate::to_seconds;

struct Run {
  Nanoseconds time = 0;
  int interruptions = 0;
};

Run play(const SpotTerms& terms,
         Nanoseconds segment,
         int segments,
         Nanoseconds most,
         simulate::Random& random) {
  const Nanoseconds restart = from_seconds(terms.restart_s);
  const Nanoseconds longest =
      terms.longest_life_h > 0 ? from_seconds(terms.longest_life_h * 3600) : never;
  Run run;
  Nanoseconds start_up = 0;  // the first machine's is no loss: any machine must start
  while (run.time < most) {
    const double hazard = terms.interruptions_per_hour / 3600;
    const Nanoseconds life =
        std::min(longest, hazard > 0 ? from_seconds(random.exponential(1 / hazard)) : never);
    const Nanoseconds needed = start_up + segments * segment;
    if (life >= needed) {
      run.time += needed;
      return run;
    }
    run.time += life;
    ++run.interruptions;
    segments -= static_cast<int>(std::max<Nanoseconds>(0, life - start_up) / segment);
    start_up = restart;
  }
  return run;
}

}  // namespace

double SpotSimulation::quantile_h(double share) const {
  assert(!hours.empty());
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(hours.size())));
  return hours[std::clamp<std::size_t>(rank, 1, hours.size()) - 1];
}

SpotSimulation simulate_spot(const SpotTerms& terms,
                             double useful_h,
                             int runs,
                             std::uint64_t seed) {
  assert(runs > 1);
  const double interval_s = spot_time(terms, useful_h).interval_s;
  const int segments = static_cast<int>(std::lround(useful_h * 3600 / interval_s));
  const Nanoseconds segment = from_seconds(interval_s + terms.checkpoint_s);
  simulate::Random random(seed);
  SpotSimulation result;
  double squares = 0;
  for (int i = 0; i < runs; ++i) {
    const auto run = play(terms, segment, segments, from_seconds(useful_h * 3.6e6), random);
    const double hours = to_seconds(run.time) / 3600;
    result.hours.push_back(hours);
    result.mean_h += hours / runs;
    squares += hours * hours / runs;
    result.mean_interruptions += static_cast<double>(run.interruptions) / runs;
  }
  std::sort(result.hours.begin(), result.hours.end());
  result.half_width_h =
      2.576 * std::sqrt(std::max(0.0, squares - result.mean_h * result.mean_h) / runs);
  return result;
}

}  // namespace rightsize
