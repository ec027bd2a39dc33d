#include "models/laws/recommender_host.h"

#include <algorithm>

#include "models/laws/gpu_step_constants.h"
#include "models/laws/published_rate.h"

namespace rightsize {

RecommenderHost recommender_host(const GpuWork& work,
                                 std::string_view framework,
                                 const GpuSpec& gpu) {
  constexpr double tensorflow_start_s = 0.75e-3;
  constexpr double old_slowness = 1.48;
  const double slowness = chip_of(gpu) <= volta ? old_slowness : 1;
  const bool tensorflow = framework_family(framework) == "TensorFlow";
  return {tensorflow ? tensorflow_start_s * slowness : 0, only_looks_up(work) ? slowness : 1};
}

bool only_looks_up(const GpuWork& work) {
  return work.looks_up && std::none_of(work.kernels.begin(),
                                       work.kernels.end(),
                                       [](const GpuKernel& kernel) { return kernel.sums_batch; });
}

}  // namespace rightsize
