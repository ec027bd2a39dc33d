#include "models/laws/gpu_step.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "kernels/work.h"
#include "models/laws/framework_habits.h"
#include "models/laws/gpu_step_constants.h"
#include "models/laws/recommender_host.h"
#include "models/laws/step_device.h"

namespace rightsize {
namespace {

// An adapter's product of few columns is taken with as many as cost least, the others zeros: fewer
// fill less of the GPU, and no rank may take longer than a larger one.
double columns_taken(const GpuKernel& kernel, const StepDevice& device, double outputs_of_column) {
  return kernel.of_adapter
             ? std::max(kernel.columns,
                        std::sqrt(device.half_columns * device.fill_cores / outputs_of_column))
             : kernel.columns;
}

double compute_seconds(const GpuKernel& kernel, const StepDevice& device, double batch) {
  const double inner = kernel.sums_batch ? kernel.inner * batch : kernel.inner;
  const double rows = kernel.sums_batch ? kernel.rows : kernel.rows * batch;
  constexpr double split = 512;  // long sums are cut up to fill the GPU
  const double parts = kernel.sums_batch || kernel.dense ? 1 + inner / split : 1;
  const double columns = columns_taken(kernel, device, rows * kernel.groups * parts);
  const double flops = kernel.flops_per_item * batch * (columns / kernel.columns);
  double efficiency = device.flops_per_s * inner / (inner + device.half_inner) * columns /
                      (columns + device.half_columns);
  efficiency *= kernel.dense ? device.dense : kernel.oblong ? device.oblong : 1;
  efficiency *= kernel.fused ? device.fused : kernel.language ? device.language : 1;
  efficiency *= kernel.language && kernel.groups == 1 ? device.hopper : 1;
  efficiency *= kernel.narrow ? device.narrow_speed : 1;
  const double outputs = rows * columns * kernel.groups * parts;
  if (kernel.sums_batch) {
    const double size = kernel.rows * kernel.columns / device.large_filter;
    const double squared = size * size;  // BERT's are a third of it, and as slow as convolutions'
    const bool summed = kernel.dense && kernel.inner > 1;  // over positions, not the batch alone
    const double small = summed ? 1 / (1 + squared * squared) : 1;
    efficiency *= std::pow(device.filter, small) * (kernel.tile > 0 ? device.tiled_filter : 1);
  } else if (kernel.tile > 0) {
    efficiency *= kernel.tile == 3 ? device.winograd : device.fourier;
  }
  const double products = flops / efficiency * (1 + device.fill_cores / outputs);
  // Every library has a kernel without matrix products for groups of a channel or few.
  return kernel.groups > 1 && !kernel.dense ? std::min(products, flops / device.direct_flops_per_s)
                                            : products;
}

// Rows at random places: memory is read by sectors and opened by pages, and the shorter a row is
// the more of that goes unused. Assumed: half of what passes reach at 128 bytes, four fifths at
// 512.
double random_rows_seconds(const GpuKernel& kernel, const StepDevice& device, double batch) {
  constexpr double half_reached_bytes = 128;
  const double row =
      kernel.row_elements * (kernel.rows_wide ? sizeof(float) : device.element_bytes);
  return kernel.rows_per_item * batch * (row + half_reached_bytes) / device.bytes_per_s;
}

double kernel_seconds(const GpuKernel& kernel, const StepDevice& device, double batch) {
  if (kernel.of_widening && !device.widens) {
    return 0;
  }
  const double bytes =
      device.element_bytes *
          ((kernel.elements_per_item + device.scores * kernel.scores_per_item) * batch +
           kernel.elements_fixed) +
      kernel.bytes_fixed / device.shards;
  const bool pass = kernel.flops_per_item == 0 && kernel.bytes_fixed == 0;
  const double casts = kernel.narrow ? device.casts : 0;
  const double memory =
      (1 + casts) * bytes / device.bytes_per_s + random_rows_seconds(kernel, device, batch);
  if (pass) {
    return device.passes * (memory + device.latency_s);
  }
  const double compute = kernel.flops_per_item > 0 ? compute_seconds(kernel, device, batch) : 0;
  return std::sqrt(compute * compute + memory * memory) + device.latency_s;
}

// Of an unknown framework: between the two ways.
double log_dispatch_today(std::span<const double> values,
                          const GpuWork& work,
                          const StepSetting& setting) {
  // What is kept in FP32 is cast for every kernel that reads fewer bits, BF16 as well as FP16.
  const bool cast = bytes_per_element(setting.precision) < 4 && work.casts;
  const double casts = cast ? log_of(values, eager_casts) : 0;
  const double eager = only_looks_up(work) ? std::log(recommender_eager_launch_s)
                                           : log_of(values, dispatch_eager) + casts;
  const double graph = log_of(values, dispatch_current);
  if (const auto* habits = habits_today(setting);
      habits != nullptr && habits->dispatch != eagerly) {
    return graph + (habits->dispatch == by_graph ? 0 : log_of(values, habits->dispatch));
  }
  if (setting.framework.starts_with("PyTorch")) {
    return eager;
  }
  return setting.framework.empty() ? (graph + eager) / 2 : graph;
}

// What the host takes to launch everything.
double launch_seconds(std::span<const double> values,
                      const GpuWork& work,
                      const StepSetting& setting) {
  const double dispatch = setting.stack == Stack::era ? log_of(values, dispatch_era)
                                                      : log_dispatch_today(values, work, setting);
  // Today's optimizers update some 30 tensors in one launch (PyTorch's foreach form).
  constexpr double foreach_tensors = 30;
  const double updating = setting.stack == Stack::current
                              ? work.updates / foreach_tensors
                              : std::exp(log_of(values, updates)) * work.updates;
  return std::exp(dispatch) * (work.launches + updating) +
         writing_seconds(work.written, setting.framework);
}

// All kernels one after another, the host never late.
double kernels_seconds(std::span<const double> values,
                       const GpuWork& work,
                       const GpuSpec& gpu,
                       const StepSetting& setting) {
  auto device = device_of(values, gpu, setting);
  if (work.looks_up && setting.stack == Stack::current) {
    device.latency_s = std::min(device.latency_s, recommender_latency_s);
  }
  double busy = 0;
  for (const auto& kernel : work.kernels) {
    const double apart = kernel.of_adapter ? device.adapters : 1;
    busy += apart * kernel.count * kernel_seconds(kernel, device, setting.batch);
  }
  return busy;
}

}  // namespace

GpuStepLaw::GpuStepLaw(std::vector<double> values) : values_(std::move(values)) {
  if (values_.empty()) {
    for (const auto& constant : step_constants()) {
      values_.push_back(constant.prior);
    }
  }
  assert(values_.size() == constant_count);  // the caller matched them by name
}

GpuStepTime GpuStepLaw::step(const GpuWork& work,
                             const GpuSpec& gpu,
                             const StepSetting& setting) const {
  const double busy = kernels_seconds(values_, work, gpu, setting);
  const bool looks_up = work.looks_up && setting.stack == Stack::current;
  const auto host = looks_up ? recommender_host(work, setting.framework, gpu) : RecommenderHost{};
  const double launching = launch_seconds(values_, work, setting) * host.slowness;
  const double ratio = std::pow(std::min(busy, launching) / std::max(busy, launching), 6);
  const double seconds = host.start_s + std::max(busy, launching) * std::pow(1 + ratio, 1.0 / 6);
  return {seconds, 1 - busy / seconds};
}

}  // namespace rightsize
