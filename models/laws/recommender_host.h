// What a step of a recommender waits for beside its arithmetic: the host that launches it. Its
// layers are small and few, so that up to some ten thousand samples a step lasts as long as its
// launches do, and asked for each minibatch by itself no other step is there to hide them. The laws
// of networks at large (gpu_step_constants.h) are of pictures and text in training, whose layers
// cost Python and CUDA's libraries two to three times as much each.
// Set to the 44 rates of calibration/recommenders.csv: NVIDIA's programs on A100 and V100, one to
// 16, of 1024 to 65536 samples each. Those of recommenders_unseen.csv, from two samples on, had no
// part in it. models/README.md has the errors, tests/models/recommender_host_test.cpp holds them.
#pragma once

#include <string_view>

#include "models/laws/gpu_kernels.h"
#include "models/laws/gpu_spec.h"

namespace rightsize {

// From kernel to kernel: gathers, small products and passes, 13 to 31 in a pass forward.
inline constexpr double recommender_latency_s = 5.8e-6;

// Seconds of a launch from Python where a pass runs forward alone: no gradient is recorded, and
// weights lie in memory as they are computed with.
inline constexpr double recommender_eager_launch_s = 27e-6;

struct RecommenderHost {
  double start_s = 0;   // before the first kernel of every step, in which the GPU does nothing
  double slowness = 1;  // of the launches of a pass forward alone, relative to an A100's host
};

// TensorFlow hands each step its numbers before it launches a kernel, compiled or not. Hosts are as
// old as the GPUs that stand in them: those of V100 (Xeons of 2016) are half as slow again as those
// of A100; older GPUs are taken to have theirs, newer ones A100's.
[[nodiscard]] RecommenderHost recommender_host(const GpuWork& work,
                                               std::string_view framework,
                                               const GpuSpec& gpu);

// Whether it is a recommender's pass forward alone.
[[nodiscard]] bool only_looks_up(const GpuWork& work);

}  // namespace rightsize
