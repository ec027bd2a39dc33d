// A service instead of a job: requests per second to answer within a latency, for as long as it is
// rented. How many machines that takes, and how sure that is.
#pragma once

#include <compare>
#include <limits>
#include <optional>
#include <string>

#include "advisor/query/objective.h"
#include "models/estimate.h"
#include "models/laws/serving.h"

namespace rightsize {

struct Service {
  double requests_per_s = 0;
  double p99_s = 0;             // 99 of 100 answers within this
  double max_delay_s = 0;       // a replica waits so long for a minibatch to fill
  double group_size = 1;        // mean number of requests that arrive together
  std::optional<int> machines;  // so many, whether they are enough or not; empty: as it takes
};

// One machine as a server of requests.
struct Server {
  MinibatchTime time;  // of one replica
  double log_sd = 0;   // of ln(time)
  int replicas = 1;    // per machine: one for each GPU
  int max_batch = 1;   // the largest minibatch it takes

  auto operator<=>(const Server&) const = default;
};

struct ServerFleet {
  int machines = 0;       // enough with the wanted confidence; 0: no number is
  int machines_low = 0;   // at the optimistic end of the interval of their times and their queue
  int machines_high = 0;  // at the pessimistic end; 0: no number is enough
  double p_enough = 0;    // P(that many answer in time)
  double each_per_s = 0;  // requests/s that one alone answers in time with the confidence; 0: none
  ServingPoint point;     // of the whole fleet, at the expected times
  Server server;          // one of them
};

// `interval_z`: half-width of the interval in standard deviations. Law: laws/serving.h.
[[nodiscard]] ServerFleet size_fleet(const Service& service,
                                     const Server& server,
                                     double confidence,
                                     double interval_z);

// The same in three steps, for who may stop after each. As many as are enough with the confidence,
// or some number above `at_most` where that is more.
[[nodiscard]] ServerFleet fewest(const Service& service,
                                 const Server& server,
                                 double confidence,
                                 int at_most = std::numeric_limits<int>::max());
// What it is ranked by: all but machines_low; p_enough is the confidence where it is kept to.
void rate_fleet(const Service& service, double confidence, double interval_z, ServerFleet& fleet);
// The rest.
void complete_fleet(const Service& service,
                    double confidence,
                    double interval_z,
                    ServerFleet& fleet);

// How many answer in time when every minibatch takes `factor` times as long as expected; 0: none.
[[nodiscard]] int machines_needed(const Service& service, const Server& server, double factor);

// How many answer in time with so many standard deviations of bad luck (mishap.h), of their times
// and of the queue's law; 0: none; some number above `at_most` where it is more.
[[nodiscard]] int machines_enough(const Service& service,
                                  const Server& server,
                                  double deviations,
                                  int at_most = std::numeric_limits<int>::max());

// What `machines` of them do when every minibatch takes `factor` times as long as expected.
[[nodiscard]] ServingPoint point_of(const Service& service,
                                    const Server& server,
                                    int machines,
                                    double factor = 1);

// Of the fleet, in seconds, with the interval of its server's times and of the queue's law;
// infinite where it is saturated.
[[nodiscard]] Estimate p99_of(const Service& service,
                              const ServerFleet& fleet,
                              double confidence,
                              double interval_z,
                              Source source);

// P(`machines` answer in time), by the uncertainty of their times and of the queue's law.
[[nodiscard]] double chance_enough(const Service& service, const Server& server, int machines);

// The largest load that so many answer in time with that confidence; 0: none.
[[nodiscard]] double most_requests_per_s(const Service& service,
                                         const Server& server,
                                         int machines,
                                         double confidence);

// More of one machine than anybody rents.
inline constexpr int most_machines = 100'000;

// Whether some number of machines is enough with the confidence, and at the slow end of the
// interval too: what makes a machine an option.
[[nodiscard]] bool any_number_answers(const ServerFleet& fleet);

// The 99th percentile that no number of such machines undercuts so.
[[nodiscard]] double least_p99_s(const Service& service,
                                 const Server& server,
                                 double confidence,
                                 double interval_z);

// Of two limits of the minibatch on one machine, whether the first is the better: first one that
// can answer in time at all, then the lower score by the objective (a fleet costs by its machines;
// its time is the 99th percentile), then the one with which a machine answers more. The one rule by
// which every command takes a service's largest minibatch; of equals the first that is named.
[[nodiscard]] bool serves_better(const ServerFleet& a,
                                 const ServerFleet& b,
                                 const Objective& objective = {});

}  // namespace rightsize
