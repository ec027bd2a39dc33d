// What explain says of a service beyond a job: how many machines the load takes and why, what one
// more or one fewer would do, and where so many of them end.
#pragma once

#include <vector>

#include "advisor/explain/cause.h"
#include "advisor/suppose/appraisal.h"

namespace rightsize {

// The fleet with another number of machines; `latency` is infinite where they are saturated.
struct FleetStep {
  int machines = 0;
  double cost_difference = 0;  // a month, in the option's currency
  Estimate p99;
  double p_enough = 0;
};

struct ServiceMargins {
  double most_requests_per_s = 0;  // that so many machines answer in time with the confidence
  double least_p99_s = 0;          // that no number of them undercuts with the confidence
  std::vector<FleetStep> steps;    // one machine fewer, one more
};

// Requires appraisal.option.service.
[[nodiscard]] ServiceMargins service_margins(const Query& query,
                                             const Evidence& evidence,
                                             const Appraisal& appraisal);

// The node "machines" of the tree, down to `throughput`, that of a machine at its largest
// minibatch.
[[nodiscard]] Cause machines_cause(const Query& query, const Option& option, Cause throughput);

}  // namespace rightsize
