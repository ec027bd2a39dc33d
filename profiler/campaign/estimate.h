// What runs will take, said before they start, from the plan alone: assumed, not measured.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/measure/run_spec.h"

namespace rightsize {

// Of all runs together, in seconds, if each is as long as it measures.
[[nodiscard]] double estimated_s(const std::vector<RunSpec>& runs);
// At most: a run that has begun a step ends it, and a large network takes longer to load than its
// steps do; what bounds it is the time after which it is given up.
[[nodiscard]] double longest_s(const std::vector<RunSpec>& runs);

// Preprocessing writes beside its data and removes what it wrote when its run ends.
struct DiskEstimate {
  std::uint64_t at_once_bytes = 0;  // of the run that writes the most
  std::uint64_t written_bytes = 0;  // of all runs
  std::uint64_t store_bytes = 0;    // by which the store grows
};

// Outputs: what the vCPUs could convert at `items_per_vcpu_s`, or less where the run's own write
// limit is lower.
constexpr double items_per_vcpu_s = 1000;  // assumed: twice what the demo's machine converts
[[nodiscard]] DiskEstimate estimated_disk(const std::vector<RunSpec>& runs);

}  // namespace rightsize
