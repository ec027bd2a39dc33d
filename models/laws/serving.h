// Serving one request at a time to many callers: requests arrive by chance, a replica takes what
// waits as one minibatch of at most `max_batch`, at most `max_delay_s` after its oldest arrived,
// and works on it for t(b) (minibatch_time.h). Closed form, no allocation, about a microsecond.
//
// Minibatches: the mean-field balance b = lambda E[max(t(b), e + delay)] with e exponential, as in
// Inoue, "Queueing analysis of GPU-based inference servers with dynamic batching", Performance
// Evaluation 147 (2021), there for no delay and no largest batch. A request waits for the rest of
// the minibatch under way (uniform) or for its window, then for those ahead beyond one minibatch
// (overflow.h); of windows that last longer for its minibatch to fill (filling_wait.h). Bursts are
// groups of geometric size at Poisson instants.
//
// Several replicas take requests as the shortest of their queues comes (shared_replicas.h).
//
// Up to a utilisation of 0.9, minibatches of 32, windows of 10 ms and bursts of 8,
// simulate/serving plays a p99 of one replica 0.85 to 1.55 times this, in bursts 0.8 to 1.95;
// closest where a step is mostly fixed cost (serving_test).
#pragma once

#include <limits>

#include "models/laws/minibatch_time.h"

namespace rightsize {

struct ServingLoad {
  double requests_per_s = 0;  // of all callers together
  double group_size = 1;      // mean number of requests that arrive together; 1: Poisson
  int max_batch = 1;
  double max_delay_s = 0;  // a replica waits so long for a minibatch to fill
  int replicas = 1;
};

// knee: above 85 % of what the replicas can do, where a little more load is much more waiting.
enum class ServingRegime { steady, knee, saturated };

struct ServingPoint {
  ServingRegime regime = ServingRegime::saturated;
  double utilisation = 0;       // offered / the most that can be served; may exceed 1
  double saturation_per_s = 0;  // the most that can be served
  double mean_batch = 0;
  // Seconds from arrival to answer; infinite when saturated.
  double mean_s = 0;
  double p50_s = 0;
  double p95_s = 0;
  double p99_s = 0;
};

// `time` is of one replica; times and rates > 0.
[[nodiscard]] ServingPoint serve(const MinibatchTime& time, const ServingLoad& load);

// A replica's own load, where a front end gives each request to one by chance: of those that come
// together few meet again.
[[nodiscard]] ServingLoad share_by_chance(const ServingLoad& load);

// How far this law is from the played fleet: standard deviation of ln(played p99 / p99 here) at
// such a utilisation, of the load's replicas, window and bursts. `bench_serving_grid` has it by
// kind (models/README.md), and how much of the grid lies within it.
[[nodiscard]] double p99_log_sd(const ServingLoad& load, double utilisation);

// How far from 99 of 100 requests answered within `p99_s`: ln(share that is late / 0.01), of more
// than is served ln(100) and what is beyond. For searches, which find its 0 sooner than where
// answers_within() ends. `law_deviations`, here and below: the law is taken to be short by so many
// of its own standard deviations.
[[nodiscard]] double lateness(const MinibatchTime& time,
                              const ServingLoad& load,
                              double p99_s,
                              double law_deviations = 0);

// Whether 99 of 100 are: what serve() says, in one look at the tail instead of a search for the
// quantile.
[[nodiscard]] bool answers_within(const MinibatchTime& time,
                                  const ServingLoad& load,
                                  double p99_s,
                                  double law_deviations = 0);

// The largest rate whose 99th percentile is at most `p99_s`; 0 when not even one request alone is
// answered so soon. `load.requests_per_s` is not read.
[[nodiscard]] double largest_requests_per_s(const MinibatchTime& time,
                                            const ServingLoad& load,
                                            double p99_s,
                                            double law_deviations = 0);

// How many machines of `machine.replicas` each answer 99 of 100 of its requests_per_s within
// `p99_s`, behind one front end; 0 when no number does, or more than 1e8 replicas are needed. Where
// that is more than `at_most` the search ends there, with some number above it.
[[nodiscard]] int machines_needed(const MinibatchTime& time,
                                  const ServingLoad& machine,
                                  double p99_s,
                                  double law_deviations = 0,
                                  int at_most = std::numeric_limits<int>::max());

// How many replicas do, where a front end gives each request of `all` to one by chance
// (share_by_chance); 0 as above. all.replicas is not read.
[[nodiscard]] int replicas_needed_by_chance(const MinibatchTime& time,
                                            const ServingLoad& all,
                                            double p99_s);

}  // namespace rightsize
