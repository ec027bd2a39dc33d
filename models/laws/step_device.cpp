#include "models/laws/step_device.h"

#include <algorithm>
#include <cmath>

#include "models/laws/gpu_step_constants.h"

namespace rightsize {
namespace {

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
void apply_habits(std::span<const double> values, const StepSetting& setting, StepDevice& device) {
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

}  // namespace

const Habits* habits_today(const StepSetting& setting) {
  return setting.stack == Stack::current ? habits_of(setting.framework) : nullptr;
}

StepDevice device_of(std::span<const double> values,
                     const GpuSpec& gpu,
                     const StepSetting& setting) {
  const auto value = [&](int constant) { return std::exp(log_of(values, constant)); };
  const bool tensor = setting.precision != Precision::fp32;
  const double lanes_flops_per_s = gpu.fp32_tflops * 1e12 * setting.sm_share;
  constexpr double memory_needs = 0.6;
  StepDevice device;
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

}  // namespace rightsize
