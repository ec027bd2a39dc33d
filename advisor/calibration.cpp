#include "advisor/calibration.h"

#include <algorithm>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/query/usage_error.h"
#include "kernels/gibibyte.h"
#include "kernels/longer_sequence.h"
#include "kernels/work.h"
#include "models/laws/gpu_memory.h"
#include "models/laws/measured_step.h"
#include "models/laws/step_phase.h"
#include "rightsize_calibration.h"  // generated: the tables' bytes

namespace rightsize {

// Read once in a process, which may ask many questions.
GpuRates shipped_gpu_rates() {
  static const GpuRates rates(
      embedded::gpus_csv(), embedded::gpu_rates_csv(), embedded::gpu_step_csv());
  return rates.afresh();
}

RateTables shipped_rate_tables() {
  return {parse_gpus(embedded::gpus_csv()),
          parse_published_rates(embedded::gpu_rates_csv()),
          embedded::gpu_step_csv()};
}

GpuRates gpu_rates_with(const Model& model) {
  auto rates = shipped_gpu_rates();
  rates.add_measured(model.gpu_rates);
  return rates;
}

namespace {

// No software is faster than the chip: such a rate is of several GPUs, or of another unit. Training
// takes the forward pass twice at the least, adapters alone do; convolutions may save products
// (Lavin and Gray, CVPR 2016: 2.25 times fewer of 3 x 3).
void refuse_impossible(const MeasuredRate& rate, const GpuSpec& gpu) {
  if (!has_steps(rate.phase)) {
    return;
  }
  const double passes = has_backward(rate.phase) ? 2 : 1;
  const double flops =
      passes * forward_flops(make_network(rate.network, rate.sequence, rate.phase));
  constexpr double saved = 2.25;
  const double peak = 1e12 * std::max(peak_tflops(gpu, rate.precision),
                                      peak_tflops(gpu, available_precision(gpu, Precision::fp16)));
  if (rate.items_per_s * flops > saved * peak) {
    throw UsageError(
        fmt::format("{}: {:.6g}/s of one {}: {} takes at least {:.3g} GFLOP an item, of which the "
                    "chip's peak of "
                    "{:.4g} TFLOP/s makes {:.4g}/s; is that of several GPUs, or of another unit?",
                    rate.said_by,
                    rate.items_per_s,
                    rate.gpu,
                    rate.network,
                    flops / 1e9,
                    peak / 1e12,
                    peak / flops));
  }
}

// Nor did one GPU run what no way of sparing memory makes room for.
void refuse_too_large(const MeasuredRate& rate, const GpuSpec& gpu) {
  if (!has_steps(rate.phase)) {
    return;
  }
  constexpr double doubt = 2.2;  // some GPUs are sold with twice the memory, and the law may err
  const double need = least_step_bytes(rate);
  const double usable = usable_memory_bytes(gpu);
  if (need > doubt * usable) {
    throw UsageError(
        fmt::format("{}: batch {} of {} takes {:.0f} GiB at the least, and a program "
                    "has {:.1f} of one {}: was that of several GPUs together?",
                    rate.said_by,
                    rate.batch,
                    rate.network,
                    need / bytes_per_gib,
                    usable / bytes_per_gib,
                    rate.gpu));
  }
}

}  // namespace

void add_own_rates(GpuRates& rates, std::vector<MeasuredRate> own) {
  for (auto& rate : own) {
    const auto* gpu = rates.find(rate.gpu);
    if (gpu == nullptr) {
      throw UsageError(fmt::format(
          "{}: \"{}\" is no GPU we know; rightsize gpus lists them", rate.said_by, rate.gpu));
    }
    if (rate.precision == Precision::fp8 && !multiplies_fp8(*gpu)) {
      throw UsageError(
          fmt::format("{}: the {} has no fp8, in which it is said to have been measured: say the "
                      "precision that it was in, with [[measured]] of a job file",
                      rate.said_by,
                      rate.gpu));
    }
    rate.precision = available_precision(*gpu, rate.precision);
    refuse_impossible(rate, *gpu);
    if (!rate.of_stages) {  // which hold a part of the layers each
      refuse_too_large(rate, *gpu);
    }
  }
  std::erase_if(own, [&](const MeasuredRate& rate) {
    return !is_of_whole_network(rate, *rates.find(rate.gpu));  // own_rate_words.h says so
  });
  if (!own.empty()) {
    rates.add_measured(own);
  }
}

CpuSpeeds shipped_cpu_speeds() {
  return CpuSpeeds(embedded::cpu_speed_csv());
}

Model shipped_model() {
  return model_from_json(boost::json::parse(embedded::default_model_json()).as_object());
}

}  // namespace rightsize
