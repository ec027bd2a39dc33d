// A GPU with one precision and one stack of software: what it reaches of its data sheet, and how
// far each kind of kernel stays behind. Everything that the time of a kernel needs (gpu_step.h).
#pragma once

#include <span>

#include "models/laws/framework_habits.h"
#include "models/laws/gpu_step.h"

namespace rightsize {

// Seconds, bytes and FLOPs; factors are relative to a product in FP32 or on tensor cores.
struct StepDevice {
  double flops_per_s = 0;
  double bytes_per_s = 0;
  double half_inner = 0;    // inner size at which products reach half their speed
  double half_columns = 0;  // likewise of columns
  double fill_cores = 0;    // outputs that fill the GPU once
  double dense = 1;         // products of every kind, in the order of gpu_step_constants.h
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

// `values` as step_constants(), logarithms.
[[nodiscard]] StepDevice device_of(std::span<const double> values,
                                   const GpuSpec& gpu,
                                   const StepSetting& setting);

// Of the setting's framework, as it is today; nullptr where nothing is known of it.
[[nodiscard]] const Habits* habits_today(const StepSetting& setting);

[[nodiscard]] inline double log_of(std::span<const double> values, int constant) {
  return values[static_cast<std::size_t>(constant)];
}

}  // namespace rightsize
