#include "models/laws/peak_bound.h"

namespace rightsize {
namespace {

// None of the 835 published figures of tensor cores (calibration/gpu_rates.csv) is above 0.87: VGG
// on an RTX 3090.
constexpr double most_of_peak = 0.9;

constexpr double fp8_speed = 2;  // of the units, relative to 16 bits

}  // namespace

double least_step_seconds(const GpuWork& work, const GpuSpec& gpu, const StepSetting& setting) {
  if (!has_tensor_cores(gpu) || setting.precision == Precision::fp32) {
    return 0;
  }
  double flops = 0;  // as many as take as long in 16 bits
  for (const auto& kernel : work.kernels) {
    const bool narrow = kernel.narrow && setting.precision == Precision::fp8;
    flops += kernel.count * kernel.flops_per_item * setting.batch / (narrow ? fp8_speed : 1);
  }
  return flops / (most_of_peak * 1e12 * peak_tflops(gpu, setting.precision) * setting.sm_share);
}

}  // namespace rightsize
