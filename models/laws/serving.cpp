#include "models/laws/serving.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "models/crossing.h"
#include "models/laws/lone_replica.h"
#include "models/laws/shared_replicas.h"

namespace rightsize {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double knee = 0.85;
// From here on nobody can tell a replica from one that gets more than it serves, the roots of the
// walk least of all: of what they subtract a double has half its digits left.
constexpr double saturated = 1 - 1e-6;
constexpr double most_replicas = 1e8;  // beyond it nobody rents, and an int ends

// False position, halved now and then: the tail may have steps.
template <typename Queue>
double quantile(const Queue& queue, double share) {
  double low = 0;
  double high = queue.longest_s();
  double above = share;  // tail - (1 - share) at low
  double below = queue.tail(high) - (1 - share);
  for (int i = 0; i < 40 && below < 0 && high - low > 3e-4 * high; ++i) {
    const double x = i % 3 == 2 ? (low + high) / 2 : (low * below - high * above) / (below - above);
    const double excess = queue.tail(x) - (1 - share);
    if (excess > 0) {
      low = x;
      above = excess;
      below /= 2;
    } else {
      high = x;
      below = excess;
      above /= 2;
    }
    if (std::abs(excess) < 1e-3 * (1 - share)) {
      return x;
    }
  }
  return high;
}

template <typename Queue>
ServingPoint point_of(const Queue& queue, double requests_per_s) {
  ServingPoint point;
  point.utilisation = queue.utilisation();
  point.saturation_per_s = requests_per_s / point.utilisation;
  point.mean_batch = queue.mean_batch();
  if (point.utilisation >= saturated) {
    point.mean_s = point.p50_s = point.p95_s = point.p99_s = infinity;
    return point;
  }
  point.regime = point.utilisation > knee ? ServingRegime::knee : ServingRegime::steady;
  point.mean_s = queue.mean();
  // Where the tail is a step they are the same, but for the last digits of each search.
  point.p50_s = quantile(queue, 0.50);
  point.p95_s = std::max(point.p50_s, quantile(queue, 0.95));
  point.p99_s = std::max(point.p95_s, quantile(queue, 0.99));
  return point;
}

// ln(share that is late / the hundredth that may be), as far as is of use to a search for where it
// is 0: at most 0 is in time.
template <typename Queue>
double lateness_of(const Queue& queue,
                   const ServingLoad& load,
                   double p99_s,
                   double law_deviations) {
  constexpr double may_be = 0.01;
  constexpr double next_to_none = 1e-6;
  const double utilisation = queue.utilisation();
  if (utilisation >= saturated) {
    return std::log(1 / may_be) + std::clamp(utilisation - 1, 0.0, 1.0);
  }
  const double by_law = p99_s * std::exp(-law_deviations * p99_log_sd(load, utilisation));
  return std::log(std::max(queue.tail(by_law), next_to_none) / may_be);
}

// Of all replicas together, limits of the latency aside.
double saturation_per_s(const MinibatchTime& time, const ServingLoad& load) {
  return std::max(1, load.replicas) * load.max_batch / step_seconds(time, load.max_batch);
}

// The least number above `low`, up to `most`, that is enough; 0 for none. Where it is more than
// `at_most` some number above that. Up to `dense` one that is enough may have a larger one that is
// not: there no range of a 32nd is passed over.
template <typename Enough>
int fewest(const Enough& enough, int low, int most, int at_most, int dense) {
  int high = low + 1;
  for (int more = 1; low < at_most && !enough(high);) {
    if (high == most) {
      return 0;
    }
    low = high;
    more = high < dense ? std::max(1, high / 32) : 2 * more;
    high = more < most - high ? high + more : most;
  }
  while (low < at_most && high - low > 1) {
    const int middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return low >= at_most ? low + 1 : high;
}

// Up to how many replicas some number may be too many: those whose minibatches fill are in time,
// and those that wait for the end of their window, behind others, are late. With more
// replicas than these next to none has company.
double dense_replicas(const MinibatchTime& time,
                      const ServingLoad& load,
                      double p99_s,
                      double law_deviations) {
  constexpr double seldom = 0.002;  // of the hundredth that may be late
  const double by_law = p99_s * std::exp(-law_deviations * p99_log_sd(load, 1));
  const double ahead = 3 + load.group_size / load.max_batch;  // minibatches, of one's own group too
  const double longest_s = load.max_delay_s + ahead * step_seconds(time, load.max_batch);
  return load.max_delay_s > 0 && longest_s > by_law
             ? load.requests_per_s * load.max_delay_s / seldom
             : 0;
}

}  // namespace

// Set to bench_serving_grid's root mean squares by hand, of steps that vary by up to 10 %; of no
// load the law is exact.
double p99_log_sd(const ServingLoad& load, double utilisation) {
  const bool alone = load.replicas <= 1;
  const double bursts = 1 - 1 / std::max(1.0, load.group_size);
  const double of_singles = alone ? 0.13 : 0.09;
  const double of_bursts = bursts * (alone ? 0.21 : 0.13);
  const double of_windows = load.max_delay_s > 0 && !alone ? 0.07 : 0;
  const double rare = std::min(1.0, utilisation / 0.1);
  return rare * std::hypot(of_singles, of_bursts, of_windows);
}

ServingLoad share_by_chance(const ServingLoad& load) {
  auto one = load;
  one.replicas = 1;
  one.requests_per_s = load.requests_per_s / load.replicas;
  one.group_size = 1 + (load.group_size - 1) / load.replicas;
  return one;
}

ServingPoint serve(const MinibatchTime& time, const ServingLoad& load) {
  assert(load.requests_per_s > 0 && load.max_batch >= 1);
  return load.replicas > 1 ? point_of(SharedReplicas(time, load), load.requests_per_s)
                           : point_of(LoneReplica(time, load), load.requests_per_s);
}

double lateness(const MinibatchTime& time,
                const ServingLoad& load,
                double p99_s,
                double law_deviations) {
  assert(load.requests_per_s > 0 && load.max_batch >= 1);
  return load.replicas > 1 ? lateness_of(SharedReplicas(time, load), load, p99_s, law_deviations)
                           : lateness_of(LoneReplica(time, load), load, p99_s, law_deviations);
}

bool answers_within(const MinibatchTime& time,
                    const ServingLoad& load,
                    double p99_s,
                    double law_deviations) {
  return lateness(time, load, p99_s, law_deviations) <= 0;
}

double largest_requests_per_s(const MinibatchTime& time,
                              const ServingLoad& load,
                              double p99_s,
                              double law_deviations) {
  if (step_seconds(time, 1) > p99_s) {
    return 0;
  }
  ServingLoad at = load;
  const double most = saturation_per_s(time, load);
  const auto late = [&](double share) {
    at.requests_per_s = share * most;
    return lateness(time, at, p99_s, law_deviations);
  };
  // From the top: where few come a minibatch waits for its window to end, and may be late for that.
  // Mostly half of what it can do is in time, and the crossing is above: in steps of an eighth
  // down to there, but for windows that last longer than a step; else in smaller ones. In bursts
  // the law of several replicas has steps, and may cross more than once: by 3 % at the most of
  // 60,000 random ones, of which any may be found.
  constexpr double step = 1.0 / 32;  // a range of loads in time that is narrower may go unseen
  constexpr double eighth = 1.0 / 8;
  constexpr double idle = 1e-6;  // of what it can do: less is nothing
  constexpr double precision = 1e-5;
  const Bracket top{1 - step, 1, late(1 - step), late(1)};
  Bracket at_crossing{};
  const auto walk = [&](double by, double least) {
    at_crossing = top;
    while (at_crossing.at_low > 0) {
      const double share = at_crossing.low;
      const double next = share > by ? std::floor((share - by / 2) / by) * by : share / 2;
      if (next < least) {
        return false;
      }
      at_crossing = {next, share, late(next), at_crossing.at_low};
    }
    return true;
  };
  const bool coarse = load.max_delay_s <= step_seconds(time, 1);
  if ((!coarse || !walk(eighth, 0.5)) && !walk(step, idle)) {
    return 0;
  }
  return most * last_not_above(late, at_crossing, precision * at_crossing.low);
}

int machines_needed(const MinibatchTime& time,
                    const ServingLoad& machine,
                    double p99_s,
                    double law_deviations,
                    int at_most) {
  // So many machines are saturated, or none.
  const double saturated_by = std::floor(machine.requests_per_s / saturation_per_s(time, machine));
  if (step_seconds(time, 1) > p99_s || saturated_by * machine.replicas > most_replicas) {
    return 0;
  }
  ServingLoad all = machine;
  const auto enough = [&](int machines) {
    all.replicas = machines * machine.replicas;
    return answers_within(time, all, p99_s, law_deviations);
  };
  const double dense = dense_replicas(time, machine, p99_s, law_deviations);
  return fewest(enough,
                static_cast<int>(saturated_by),
                static_cast<int>(most_replicas) / machine.replicas,
                at_most,
                static_cast<int>(std::min(dense, most_replicas)) / machine.replicas);
}

int replicas_needed_by_chance(const MinibatchTime& time, const ServingLoad& all, double p99_s) {
  ServingLoad load = all;
  load.replicas = 1;
  const double saturated_by = std::floor(load.requests_per_s / saturation_per_s(time, load));
  if (step_seconds(time, 1) > p99_s || saturated_by > most_replicas) {
    return 0;
  }
  const auto enough = [&](int replicas) {
    load.replicas = replicas;
    return answers_within(time, share_by_chance(load), p99_s);
  };
  constexpr int any = std::numeric_limits<int>::max();
  return fewest(enough,
                static_cast<int>(saturated_by),
                static_cast<int>(most_replicas),
                any,
                static_cast<int>(std::min(dense_replicas(time, load, p99_s, 0), most_replicas)));
}

}  // namespace rightsize
