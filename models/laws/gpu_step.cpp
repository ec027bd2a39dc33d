#include "models/laws/gpu_step.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "kernels/work.h"

namespace rightsize {
namespace {

// Chips whose multiprocessors differ. Pascal's are two: GP100 with HBM and 64 lanes, and GP10x;
// Ampere's too: GA100, and GA10x with doubled FP32 lanes.
enum Chip {
  kepler,
  maxwell,
  pascal,
  gp100,
  volta,
  turing,
  ampere,
  ampere_rtx,
  ada,
  hopper,
  blackwell,
  chips
};

struct Descent {
  std::string_view arch;
  int parent;  // itself for the root
};

constexpr std::array<Descent, chips> descents{{{"Kepler", maxwell},
                                               {"Maxwell", maxwell},
                                               {"Pascal", maxwell},
                                               {"", pascal},
                                               {"Volta", gp100},
                                               {"Turing", volta},
                                               {"Ampere", volta},
                                               {"", turing},
                                               {"Ada", ampere_rtx},
                                               {"Hopper", ampere},
                                               {"Blackwell", hopper}}};

// Watts per FP32 lane of the chip's cards that are not held back: what a low-power card of the same
// chip (T4, L4, P4) has less of, its clock lacks under load.
constexpr std::array<double, chips> full_watts{
    0.060, 0.081, 0.070, 0.070, 0.0586, 0.0575, 0.0579, 0.0333, 0.0193, 0.0414, 0.0528};

enum Constant {
  fp32_base = 0,                      // Maxwell's efficiency
  fp32_step = 1,                      // + chip: from its parent's
  tensor_base = fp32_step + chips,    // Volta's
  tensor_step = tensor_base + 1,      // + chip
  memory_base = tensor_step + chips,  // Maxwell's
  memory_step = memory_base + 1,      // + chip
  tf32 = memory_step + chips,         // efficiency relative to fp16's
  dense,  // efficiency of plain matrix products, relative to convolutions
  half_inner,
  half_columns,
  half_inner_tensor,
  half_columns_tensor,
  fill,
  fill_tensor,
  filter,            // efficiency of the filter's gradient, relative
  winograd,          // speed of 3x3 convolutions at fp32, relative
  power,             // exponent of the share of full power
  latency,           // seconds per kernel
  dispatch_era,      // seconds per launch
  dispatch_current,  // by executors of graphs
  dispatch_eager,    // from Python
  eager_casts,       // launches of mixed precision, relative
  updates,           // launches per update, relative
  era_compute,       // efficiency of the era's libraries, relative
  era_memory,
  constant_count
};

constexpr double step_sd = 0.15;
constexpr double memory_sd = 0.1;
constexpr double never = 1e-6;  // a constant that no chip has: fixed at its prior

// Kepler: its 192 lanes wait for registers, SGEMM reaches 58 % (Lai & Seznec, CGO 2013), Maxwell's
// more than 90 %. Memory: shares of the bandwidth reached by Jia et al., "Dissecting the NVIDIA
// Turing T4 GPU via microbenchmarking", 2019, table 3.1: 70 % on P100, 83 % on V100, 69 % on T4,
// 84 % on P4, 79 % on M60. GA10x: half of its lanes are shared with integers.
constexpr std::array constants{
    StepConstant{"fp32", -0.2, 0.3},
    StepConstant{"fp32 Kepler", -0.5, 0.15},
    StepConstant{"fp32 Maxwell", 0, never},
    StepConstant{"fp32 Pascal", 0, step_sd},
    StepConstant{"fp32 GP100", 0, step_sd},
    StepConstant{"fp32 Volta", 0, step_sd},
    StepConstant{"fp32 Turing", 0, step_sd},
    StepConstant{"fp32 Ampere", 0, step_sd},
    StepConstant{"fp32 Ampere RTX", -0.3, step_sd},
    StepConstant{"fp32 Ada", 0, step_sd},
    StepConstant{"fp32 Hopper", -0.2, step_sd},
    StepConstant{"fp32 Blackwell", 0, step_sd},
    StepConstant{"tensor", -0.4, 0.3},
    StepConstant{"tensor Kepler", 0, never},
    StepConstant{"tensor Maxwell", 0, never},
    StepConstant{"tensor Pascal", 0, never},
    StepConstant{"tensor GP100", 0.3, step_sd},
    StepConstant{"tensor Volta", 0, never},
    StepConstant{"tensor Turing", 0, step_sd},
    StepConstant{"tensor Ampere", 0, step_sd},
    StepConstant{"tensor Ampere RTX", 0, step_sd},
    StepConstant{"tensor Ada", 0, step_sd},
    StepConstant{"tensor Hopper", -0.1, step_sd},
    StepConstant{"tensor Blackwell", -0.1, step_sd},
    StepConstant{"memory", -0.3, 0.15},
    StepConstant{"memory Kepler", -0.1, memory_sd},
    StepConstant{"memory Maxwell", 0, never},
    StepConstant{"memory Pascal", 0.06, memory_sd},
    StepConstant{"memory GP100", -0.19, memory_sd},
    StepConstant{"memory Volta", 0.18, memory_sd},
    StepConstant{"memory Turing", -0.19, memory_sd},
    StepConstant{"memory Ampere", 0.07, memory_sd},
    StepConstant{"memory Ampere RTX", 0.2, memory_sd},
    StepConstant{"memory Ada", 0, memory_sd},
    StepConstant{"memory Hopper", 0, memory_sd},
    StepConstant{"memory Blackwell", 0, memory_sd},
    StepConstant{"tf32", 0, 0.2},
    StepConstant{"dense", 0.2, 0.2},
    StepConstant{"half inner", 4.2, 0.5},
    StepConstant{"half columns", 2.8, 0.5},
    StepConstant{"half inner tensor", 4.5, 0.5},
    StepConstant{"half columns tensor", 3.6, 0.5},
    StepConstant{"fill", 4.7, 0.5},
    StepConstant{"fill tensor", 5.4, 0.5},
    StepConstant{"filter gradient", -0.3, 0.2},
    StepConstant{"winograd", 0.4, 0.2},
    StepConstant{"power", -1.0, 0.4},
    StepConstant{"latency", -12, 0.5},
    StepConstant{"dispatch era", -11, 0.5},
    StepConstant{"dispatch current", -11, 0.5},
    StepConstant{"dispatch eager", -10, 0.5},
    StepConstant{"eager casts", 0.25, 0.2},
    StepConstant{"updates", 0.7, 0.5},
    StepConstant{"era compute", -0.1, 0.15},
    StepConstant{"era memory", -0.2, 0.15},
};
static_assert(constants.size() == constant_count);

int chip_of(const GpuSpec& gpu) {
  if (gpu.arch == "Pascal") {
    return gpu.fp16_tflops > 0 ? gp100 : pascal;
  }
  if (gpu.arch == "Ampere") {
    const double ratio = gpu.fp16_tflops / gpu.fp32_tflops;  // GA100: 16, GA10x: 2 to 4
    return ratio < 8 ? ampere_rtx : ampere;
  }
  const auto found = std::find_if(
      descents.begin(), descents.end(), [&](const Descent& d) { return d.arch == gpu.arch; });
  return found == descents.end() ? blackwell : static_cast<int>(found - descents.begin());
}

// The steps from the root to `chip` and the base under them.
double inherited(std::span<const double> values, int base, int step, int root, int chip) {
  double sum = values[static_cast<std::size_t>(base)];
  while (chip != root) {
    sum += values[static_cast<std::size_t>(step + chip)];
    const int parent = descents[static_cast<std::size_t>(chip)].parent;
    if (parent == chip) {
      break;
    }
    chip = parent;
  }
  return sum;
}

// A GPU with one precision and stack: everything a kernel's time needs.
struct Device {
  double flops_per_s = 0;
  double bytes_per_s = 0;
  double half_inner = 0;
  double half_columns = 0;
  double fill_cores = 0;
  double dense = 1;
  double filter = 1;
  double winograd = 1;
  double latency_s = 0;
  double element_bytes = 4;
};

double compute_seconds(const GpuKernel& kernel, const Device& device, double batch) {
  const double flops = kernel.flops_per_item * batch;
  const double inner = kernel.sums_batch ? kernel.inner * batch : kernel.inner;
  const double rows = kernel.sums_batch ? kernel.rows : kernel.rows * batch;
  double efficiency = device.flops_per_s * inner / (inner + device.half_inner) * kernel.columns /
                      (kernel.columns + device.half_columns);
  efficiency *= kernel.dense ? device.dense : 1;
  double outputs = rows * kernel.columns * kernel.groups;
  if (kernel.sums_batch || kernel.dense) {
    constexpr double split = 512;  // long sums are cut up to fill the GPU
    outputs *= 1 + inner / split;
  }
  if (kernel.sums_batch) {
    efficiency *= device.filter;
  } else if (kernel.square) {
    efficiency *= device.winograd;
  }
  return flops / efficiency * (1 + device.fill_cores / outputs);
}

double kernel_seconds(const GpuKernel& kernel, const Device& device, double batch) {
  const double bytes =
      device.element_bytes * (kernel.elements_per_item * batch + kernel.elements_fixed) +
      kernel.bytes_fixed;
  const double memory = bytes / device.bytes_per_s;
  const double compute = kernel.flops_per_item > 0 ? compute_seconds(kernel, device, batch) : 0;
  return std::sqrt(compute * compute + memory * memory) + device.latency_s;
}

double peak_or_derived(const GpuSpec& gpu, Precision precision) {
  const double peak = peak_tflops(gpu, precision);
  return peak > 0 ? peak : gpu.fp32_tflops;
}

Device device_of(std::span<const double> values, const GpuSpec& gpu, const StepSetting& setting) {
  const auto precision = setting.precision;
  const double sm_share = setting.sm_share;
  const auto log_of = [&](int index) { return values[static_cast<std::size_t>(index)]; };
  const int chip = chip_of(gpu);
  const bool tensor = precision != Precision::fp32;
  double compute = tensor ? inherited(values, tensor_base, tensor_step, volta, chip)
                          : inherited(values, fp32_base, fp32_step, maxwell, chip);
  double memory = inherited(values, memory_base, memory_step, maxwell, chip);
  compute += precision == Precision::tf32 ? log_of(tf32) : 0;
  if (setting.stack == Stack::era) {
    compute += log_of(era_compute);
    memory += log_of(era_memory);
  }
  if (gpu.tdp_w > 0 && gpu.cores > 0) {
    const double share = gpu.tdp_w / gpu.cores / full_watts[static_cast<std::size_t>(chip)];
    compute += std::exp(log_of(power)) * std::log(std::min(1.0, share));
  }
  constexpr double memory_needs = 0.6;
  Device device;
  device.flops_per_s = peak_or_derived(gpu, precision) * 1e12 * std::exp(compute) * sm_share;
  device.bytes_per_s =
      gpu.bandwidth_gbs * 1e9 * std::exp(memory) * std::min(1.0, sm_share / memory_needs);
  device.half_inner = std::exp(log_of(tensor ? half_inner_tensor : half_inner));
  device.half_columns = std::exp(log_of(tensor ? half_columns_tensor : half_columns));
  device.fill_cores = std::exp(log_of(tensor ? fill_tensor : fill)) * gpu.cores * sm_share;
  device.dense = std::exp(log_of(dense));
  device.filter = std::exp(log_of(filter));
  device.winograd = tensor ? 1 : std::exp(log_of(winograd));
  device.latency_s = std::exp(log_of(latency));
  device.element_bytes = bytes_per_element(precision);
  return device;
}

// What the host takes to launch everything. Of an unknown framework of today: between the two ways.
double launch_seconds(std::span<const double> values,
                      const GpuWork& work,
                      const StepSetting& setting) {
  const auto log_of = [&](int index) { return values[static_cast<std::size_t>(index)]; };
  constexpr double replayed_launch_s = 3e-6;  // of a captured CUDA graph (assumed)
  if (work.captured) {
    return replayed_launch_s * work.launches;
  }
  double dispatch = log_of(dispatch_era);
  if (setting.stack == Stack::current) {
    const double casts = setting.precision == Precision::fp16 ? log_of(eager_casts) : 0;
    const double eager = log_of(dispatch_eager) + casts;
    dispatch = setting.framework.starts_with("PyTorch") ? eager
               : setting.framework.empty()              ? (log_of(dispatch_current) + eager) / 2
                                                        : log_of(dispatch_current);
  }
  // Today's optimizers update some 30 tensors in one launch (PyTorch's foreach form).
  constexpr double foreach_tensors = 30;
  const double updating = setting.stack == Stack::current
                              ? work.updates / foreach_tensors
                              : std::exp(log_of(updates)) * work.updates;
  return std::exp(dispatch) * (work.launches + updating);
}

// All kernels one after another, the host never late.
double kernels_seconds(std::span<const double> values,
                       const GpuWork& work,
                       const GpuSpec& gpu,
                       const StepSetting& setting) {
  const auto device = device_of(values, gpu, setting);
  double busy = 0;
  for (const auto& kernel : work.kernels) {
    busy += kernel.count * kernel_seconds(kernel, device, setting.batch);
  }
  return busy;
}

}  // namespace

std::span<const StepConstant> step_constants() {
  return constants;
}

GpuStepLaw::GpuStepLaw(std::vector<double> values) : values_(std::move(values)) {
  if (values_.empty()) {
    for (const auto& constant : constants) {
      values_.push_back(constant.prior);
    }
  }
  assert(values_.size() == constants.size());  // the caller matched them by name
}

double GpuStepLaw::seconds(const GpuWork& work,
                           const GpuSpec& gpu,
                           const StepSetting& setting) const {
  const double busy = kernels_seconds(values_, work, gpu, setting);
  const double launching = launch_seconds(values_, work, setting);
  const double ratio = std::pow(std::min(busy, launching) / std::max(busy, launching), 6);
  return std::max(busy, launching) * std::pow(1 + ratio, 1.0 / 6);
}

double GpuStepLaw::launch_share(const GpuWork& work,
                                const GpuSpec& gpu,
                                const StepSetting& setting) const {
  return 1 - kernels_seconds(values_, work, gpu, setting) / seconds(work, gpu, setting);
}

}  // namespace rightsize
