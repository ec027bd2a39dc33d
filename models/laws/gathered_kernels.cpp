#include "models/laws/gathered_kernels.h"

#include <algorithm>

#include "kernels/work.h"
#include "models/laws/layer_kernels.h"

namespace rightsize {

// Without masters kernels compute in 16 bits (advisor/query asks for no other).
GatheredKernels::GatheredKernels(const Network& network, Phase phase, int tensor)
    : phase_(phase),
      tensor_(tensor),
      adapted_(network.adapters.any() && has_backward(phase)),
      updated_bytes_(state_bytes(network, phase, Precision::bf16).updated) {}

void GatheredKernels::begin(const Layer& layer, bool frozen) {
  frozen_ = frozen;
  passes_ = static_cast<double>(layer.passes);
  copies_ = static_cast<double>(layer.copies);
}

void GatheredKernels::add(GpuKernel kernel, double times) {
  times *= passes_;
  share_positions(kernel, 1 / copies_);
  (kernel.bytes_fixed > 0 ? work_.updates : work_.launches) += times;
  const auto same = std::find_if(work_.kernels.begin(), work_.kernels.end(), [&](auto known) {
    known.count = kernel.count;
    return known == kernel;
  });
  if (same != work_.kernels.end()) {
    same->count += times;
  } else {
    kernel.count = times;
    work_.kernels.push_back(kernel);
  }
}

void GatheredKernels::both_ways(double forward, double back) {
  add({.elements_per_item = forward});
  if (learns()) {
    add({.elements_per_item = back});
  }
}

void GatheredKernels::products(
    const Layer& layer, const GpuKernel& forward, double in_positions, bool first, bool frozen) {
  add(forward);
  if (!learns()) {
    return;
  }
  if (!frozen) {
    GpuKernel filter = forward;
    filter.rows = forward.inner;
    filter.inner = forward.rows;
    filter.sums_batch = true;
    add(filter);
  }
  if (!first) {
    GpuKernel data = forward;
    data.rows = in_positions;
    // What a convolution sums over is a window; of a transposed one it is a position.
    const bool windows = layer.kind == LayerKind::convolution;
    const auto window = static_cast<double>(layer.kernel_h * layer.kernel_w);
    data.columns = forward.inner / (windows ? std::max(1.0, window) : 1.0);
    data.inner = forward.flops_per_item / 2 / (data.rows * data.columns * data.groups);
    add(data);
  }
}

void GatheredKernels::update(double parameters) {
  if (!adapted_) {
    update_trained(parameters / tensor_);
  }
}

void GatheredKernels::update_trained(double parameters) {
  if (phase_ == Phase::train && !frozen_ && parameters > 0) {
    add({.bytes_fixed = updated_bytes_ * parameters});
  }
}

}  // namespace rightsize
