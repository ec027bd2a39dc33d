// Plays a fleet that answers requests: open-loop arrivals (they do not wait for answers, so that no
// wait is left out of the latencies), dynamic batching, replicas. The truth that laws/serving.h is
// held against. A load goes on until all that are counted have been answered, so that nobody waits
// for company that never comes; a list of arrivals ends. Events in order of time, then answers
// before windows before arrivals, then the lower replica; integers, seeded.
#pragma once

#include <cstdint>
#include <span>

#include "models/laws/serving.h"
#include "models/simulate/time.h"

namespace rightsize {

enum class Routing { shortest_queue, random };

struct ServingOptions {
  std::uint64_t seed = 1;
  std::uint64_t requests = 200'000;  // after the warm-up
  double warmup_share = 0.1;         // of `requests`, played first and not counted
  double time_deviation = 0;         // standard deviation / mean of a minibatch's time
  Routing routing = Routing::shortest_queue;
  std::uint64_t queue_limit = 100'000;  // of a replica; more are turned away
  // Instants of arrival, rising; not empty: these instead of the load's rate, all of them counted.
  std::span<const simulate::Nanoseconds> arrivals;
};

struct ServingSummary {
  std::uint64_t requests = 0;  // answered and counted
  std::uint64_t turned_away = 0;
  double offered_per_s = 0;
  double served_per_s = 0;
  double mean_s = 0;
  double p50_s = 0;
  double p95_s = 0;
  double p99_s = 0;
  double most_s = 0;
  double mean_batch = 0;
  double busy = 0;  // share of the replicas' time
  // Of a load: as much comes as can be served, or more; of either: some were turned away.
  bool saturated = false;
  std::uint64_t events = 0;
};

[[nodiscard]] ServingSummary simulate_serving(const MinibatchTime& time,
                                              const ServingLoad& load,
                                              const ServingOptions& options = {});

}  // namespace rightsize
