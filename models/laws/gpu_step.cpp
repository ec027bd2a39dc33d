#include "models/laws/gpu_step.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "kernels/work.h"
#include "models/laws/framework_habits.h"
#include "models/laws/gpu_step_constants.h"

namespace rightsize {
namespace {

// A GPU with one precision and stack: everything a kernel's time needs.
struct Device {
  double flops_per_s = 0;
  double bytes_per_s = 0;
  double half_inner = 0;
  double half_columns = 0;
  double fill_cores = 0;
  double dense = 1;
  double language = 1;
  double hopper = 1;  // of these by kernels for Hopper, one at a time and not an expert's
  double filter = 1;
  double winograd = 1;
  double fourier = 1;
  double tiled_filter = 1;
  double direct_flops_per_s = 0;
  double oblong = 1;
  double fused = 1;
  double large_filter = 1;
  double narrow_speed = 1;  // speed of products of numbers in 8 bits, relative to 16
  double casts = 0;         // how often what they read and write is passed over for it
  double scores = 1;
  double latency_s = 0;
  double element_bytes = 4;
  double adapters = 1;  // the time of kernels beside a frozen layer's, relative
  double passes = 1;    // the time of passes over memory, relative
  double shards = 1;    // that divide the optimizer's state
  bool widens = true;   // matrices in fewer bits, before their products
};

const Habits* habits_today(const StepSetting& setting) {
  return setting.stack == Stack::current ? habits_of(setting.framework) : nullptr;
}

// Whether its attention is fused by the first kernels that did it.
bool first_kernels(const StepSetting& setting) {
  const auto* habits = habits_today(setting);
  return habits != nullptr && habits->first_fused;
}

// Whether its kernels are written for Hopper and what came after.
bool hopper_kernels(const StepSetting& setting) {
  const auto* habits = habits_today(setting);
  return habits != nullptr && habits->hopper_kernels;
}

// An adapter's product of few columns is taken with as many as cost least, the others zeros: fewer
// fill less of the GPU, and no rank may take longer than a larger one.
double columns_taken(const GpuKernel& kernel, const Device& device, double outputs_of_column) {
  return kernel.of_adapter
             ? std::max(kernel.columns,
                        std::sqrt(device.half_columns * device.fill_cores / outputs_of_column))
             : kernel.columns;
}

double compute_seconds(const GpuKernel& kernel, const Device& device, double batch) {
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
double random_rows_seconds(const GpuKernel& kernel, const Device& device, double batch) {
  constexpr double half_reached_bytes = 128;
  const double row =
      kernel.row_elements * (kernel.rows_wide ? sizeof(float) : device.element_bytes);
  return kernel.rows_per_item * batch * (row + half_reached_bytes) / device.bytes_per_s;
}

double kernel_seconds(const GpuKernel& kernel, const Device& device, double batch) {
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

// Set to rates of NVIDIA's NeMo on H100 (calibration/programs.csv), 16 in BF16 and 47 in FP8, none
// of a mixture: 14 % off as root mean square. MaxText, Blackwell and mixtures had no part in it.
constexpr double hopper_products = 1.3;   // relative to those of other programs
constexpr double hopper_attention = 3.7;  // likewise
constexpr double fused_adapters = 0.25;   // likewise, to its LoRA of Llama 3 8B
constexpr double fp8_speed = 2;           // of products, as of the units
constexpr double fp8_casts = 0.3;

double peak_or_derived(const GpuSpec& gpu, Precision precision) {
  const double peak = peak_tflops(gpu, precision);
  return peak > 0 ? peak : gpu.fp32_tflops;
}

double log_of(std::span<const double> values, int constant) {
  return values[static_cast<std::size_t>(constant)];
}

// What the era's libraries and a card's power leave of any arithmetic, as a logarithm.
double log_held_back(std::span<const double> values,
                     const GpuSpec& gpu,
                     const StepSetting& setting) {
  return (setting.stack == Stack::era ? log_of(values, era_compute) : 0) +
         std::exp(log_of(values, power)) * std::log(power_share(gpu));
}

// Efficiencies by card, precision and stack, as logarithms.
double log_compute(std::span<const double> values, const GpuSpec& gpu, const StepSetting& setting) {
  const bool tensor = setting.precision != Precision::fp32;
  double sum =
      tensor ? tensor_efficiency(values, chip_of(gpu)) : fp32_efficiency(values, chip_of(gpu));
  sum += setting.precision == Precision::tf32 ? log_of(values, tf32) : 0;
  sum += tensor && has_full_rate(gpu) ? log_of(values, full_rate) : 0;
  sum += tensor && setting.stack == Stack::era ? log_of(values, era_tensor) : 0;
  return sum + log_held_back(values, gpu, setting);
}

double log_memory(std::span<const double> values, const GpuSpec& gpu, const StepSetting& setting) {
  return memory_efficiency(values, chip_of(gpu)) +
         (setting.stack == Stack::era ? log_of(values, era_memory) : 0);
}

// What fused attention costs, relative to the products that it is made of.
double fused_share(std::span<const double> values, const GpuSpec& gpu, const StepSetting& setting) {
  const Chip chip = chip_of(gpu);
  const double each = std::exp(log_of(values, fused_attention));
  if (chip == hopper || chip == blackwell || chip == blackwell_rtx) {
    return each * std::exp(log_of(values, fused_hopper));
  }
  // AMD's keep the first kernels' share: with it were their chips set, and trainings of 8192 tokens
  // met that had no part (programs_instinct.csv).
  const bool second = (chip == ampere || chip == ampere_rtx || chip == ada) &&
                      setting.stack == Stack::current && !first_kernels(setting);
  return second ? each * std::exp(log_of(values, fused_second)) : each;
}

// What is known of the framework's own habits today.
void apply_habits(std::span<const double> values, const StepSetting& setting, Device& device) {
  const auto value = [&](int constant) { return std::exp(log_of(values, constant)); };
  const auto* habits = habits_today(setting);
  device.widens = habits == nullptr || !habits->narrow_products;
  if (habits != nullptr && habits->own_kernels) {
    device.flops_per_s *= value(engine_kernels);
    device.latency_s *= value(engine_latency);
  }
  device.scores = habits != nullptr && habits->fused_attention ? 0 : value(scores);
  device.passes = habits != nullptr && habits->passes >= 0 ? value(habits->passes) : 1;
}

Device device_of(std::span<const double> values, const GpuSpec& gpu, const StepSetting& setting) {
  const auto value = [&](int constant) { return std::exp(log_of(values, constant)); };
  const bool tensor = setting.precision != Precision::fp32;
  const double lanes_flops_per_s = gpu.fp32_tflops * 1e12 * setting.sm_share;
  constexpr double memory_needs = 0.6;
  Device device;
  device.flops_per_s = peak_or_derived(gpu, setting.precision) * 1e12 *
                       std::exp(log_compute(values, gpu, setting)) * setting.sm_share;
  device.bytes_per_s = gpu.bandwidth_gbs * 1e9 * std::exp(log_memory(values, gpu, setting)) *
                       std::min(1.0, setting.sm_share / memory_needs);
  device.direct_flops_per_s =
      lanes_flops_per_s * value(direct) *
      std::exp(fp32_efficiency(values, chip_of(gpu)) + log_held_back(values, gpu, setting));
  device.half_inner = value(tensor ? half_inner_tensor : half_inner);
  device.half_columns = value(tensor ? half_columns_tensor : half_columns);
  // FP32 fills lanes; tensor cores come by the multiprocessor, in the unit of Volta's 64 lanes.
  const double filled = tensor ? 64 * multiprocessors(gpu) : gpu.cores;
  device.fill_cores = value(tensor ? fill_tensor : fill) * filled * setting.sm_share;
  device.dense = value(dense);
  device.language = value(language_products);
  device.filter = value(filter);
  device.oblong = value(oblong);
  device.fused = fused_share(values, gpu, setting);
  device.large_filter = value(large_filter);
  const Chip chip = chip_of(gpu);
  if ((chip == hopper || chip == blackwell) && hopper_kernels(setting)) {
    device.hopper = hopper_products;
    device.fused *= hopper_attention;
    device.adapters = fused_adapters;
  }
  if (setting.precision == Precision::fp8) {
    device.narrow_speed = fp8_speed;
    device.casts = fp8_casts;
  }
  if (!tensor) {
    device.winograd = value(winograd);
    device.fourier = value(fourier);
    device.tiled_filter = value(tiled_filter);
  }
  device.latency_s = value(latency);
  device.shards = setting.shards;
  device.element_bytes = bytes_per_element(setting.precision);
  apply_habits(values, setting, device);
  return device;
}

// Of an unknown framework: between the two ways.
double log_dispatch_today(std::span<const double> values,
                          const GpuWork& work,
                          const StepSetting& setting) {
  // What is kept in FP32 is cast for every kernel that reads fewer bits, BF16 as well as FP16.
  const bool cast = bytes_per_element(setting.precision) < 4 && work.casts;
  const double casts = cast ? log_of(values, eager_casts) : 0;
  const double eager = log_of(values, dispatch_eager) + casts;
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
  const auto device = device_of(values, gpu, setting);
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
  const double launching = launch_seconds(values_, work, setting);
  const double ratio = std::pow(std::min(busy, launching) / std::max(busy, launching), 6);
  const double seconds = std::max(busy, launching) * std::pow(1 + ratio, 1.0 / 6);
  return {seconds, 1 - busy / seconds};
}

}  // namespace rightsize
