// The kernels of a step as they are gathered layer by layer: of each what runs forward and, where
// there is learning, back and in the optimizer; equal ones counted together. Which kernels a layer
// has is gpu_kernels.cpp's.
#pragma once

#include <utility>

#include "models/laws/gpu_kernels.h"

namespace rightsize {

class GatheredKernels {
 public:
  // Borrows the network; `tensor` GPUs share each layer.
  GatheredKernels(const Network& network, Phase phase, int tensor);

  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] bool learns() const { return has_backward(phase_) && !frozen_; }
  // Whether adapters learn, and what they stand beside is frozen.
  [[nodiscard]] bool adapted() const { return adapted_; }

  // What is added from here on runs forward alone: blocks' kernels once more.
  void go_forward_again() { phase_ = Phase::forward; }
  // What is added from here on is the layer's; of a frozen one nothing runs back.
  void begin(const Layer& layer, bool frozen = false);

  void add(GpuKernel kernel, double times = 1);
  // Passes over memory, by the elements of an item.
  void both_ways(double forward, double back);
  // The forward product and, when training, its two gradients, that of the data unless the layer is
  // the first, that of the matrix unless it is frozen.
  void products(const Layer& layer,
                const GpuKernel& forward,
                double in_positions,
                bool first,
                bool frozen = false);
  // Of parameters that the GPUs share, and are not frozen beside adapters.
  void update(double parameters);
  // Of what this GPU has, and learns.
  void update_trained(double parameters);

  [[nodiscard]] GpuWork take() { return std::move(work_); }

 private:
  Phase phase_;
  double tensor_;
  bool adapted_;
  double updated_bytes_;  // of the optimizer's state, by parameter
  double passes_ = 1;     // of the layer at hand
  double copies_ = 1;     // likewise
  bool frozen_ = false;   // likewise
  GpuWork work_;
};

}  // namespace rightsize
