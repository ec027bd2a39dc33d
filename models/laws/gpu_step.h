// The time of one step on a GPU, kernel by kernel: a roofline with efficiencies,
//   t = sqrt(compute^2 + memory^2) + latency
//   compute = FLOPs / (peak x E x k/(k + k0) x n/(n + n0)) x (1 + fill x cores/outputs)
//   memory = bytes / (bandwidth x M)
// E and M are of the architecture, k and n the inner and the column size of a product; the last
// factor is the wave that a small product leaves part empty. Convolutions in groups too narrow for
// products (depthwise ones) run on FP32 lanes; attention passes over its scores, which no product
// holds. Kernels follow one another; the host launches them in turn, and whichever is slower
// counts:
//   step = (sum t^6 + (launches x dispatch)^6)^(1/6)
// Williams, Waterman & Patterson, "Roofline", CACM 52 (2009); Yu et al., "Habitat", USENIX ATC 2021
// (waves); Lavin & Gray, "Fast algorithms for convolutional neural networks", CVPR 2016 (Winograd).
// The constants (gpu_step_constants.h) are logarithms, fitted to published figures by calibrate_gpu
// (gpu_step_fit.h) with their priors there; an architecture starts from the one it descends from,
// so that one without figures is its ancestor's, not a guess.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "models/laws/gpu_kernels.h"
#include "models/laws/gpu_spec.h"

namespace rightsize {

// Frameworks and libraries of 2023-2026 (cuDNN 8 and 9), or of 2015-2018 (cuDNN 5 to 7).
enum class Stack { current, era };

struct StepSetting {
  Precision precision = Precision::fp32;  // one that the GPU has
  Stack stack = Stack::current;
  std::string_view framework = {};  // "PyTorch" launches each kernel from Python; empty: unknown
  int batch = 1;
  double shards = 1;  // ranks that share the optimizer's work
  // The part of the multiprocessors that may be used, in (0, 1]; 60 % of them load the memory fully
  // (assumed).
  double sm_share = 1;
};

struct GpuStepTime {
  double seconds = 0;
  double launch_share = 0;  // in which the GPU waits for the host to launch kernels, in [0, 1)
};

class GpuStepLaw {
 public:
  // As many values as step_constants(); the priors where `values` is empty.
  explicit GpuStepLaw(std::vector<double> values = {});

  [[nodiscard]] GpuStepTime step(const GpuWork& work,
                                 const GpuSpec& gpu,
                                 const StepSetting& setting) const;

  // The same, in short.
  [[nodiscard]] double seconds(const GpuWork& work,
                               const GpuSpec& gpu,
                               const StepSetting& setting) const {
    return step(work, gpu, setting).seconds;
  }

  [[nodiscard]] std::span<const double> values() const { return values_; }

 private:
  std::vector<double> values_;
};

}  // namespace rightsize
