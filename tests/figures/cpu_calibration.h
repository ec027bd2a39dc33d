// Fits the law of networks on CPUs to published figures or to measured steps, and says how well it
// carries to a network it has not seen. The constants of cpu_compute_law() are this fit, inference
// and training apart: those of the era of calibration/cpu_rates.csv, today's of networks_zen4.jsonl
// and precision_zen4.jsonl (examples/measurements).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/laws/cpu_compute.h"
#include "models/laws/cpu_speed.h"
#include "profiler/record.h"

namespace rightsize {

struct CpuRate {
  std::string network;
  Phase phase = Phase::infer;
  int batch = 0;
  double vcpus = 0;
  CpuKind cpu;
  double items_per_s = 0;
  CpuWork work;  // of one step
};

// The text of calibration/cpu_rates.csv; rows of networks that are not built in are left out.
// Throws ModelError on a malformed row.
[[nodiscard]] std::vector<CpuRate> parse_cpu_rates(std::string_view csv, const CpuSpeeds& speeds);

// The records' steps on this engine in FP32, of what nothing held up but the CPU.
[[nodiscard]] std::vector<CpuRate> measured_cpu_rates(std::span<const Record> records);

[[nodiscard]] double predicted_cpu_rate(const CpuComputeLaw& law, const CpuRate& rate);

// Published figures are of few networks on 1 to 36 cores, measured steps of many on few cores: of
// what they cannot tell, both keep `start`.
enum class CpuConstants { of_published, of_measured };

// Least squares on ln(predicted / seen), robust, with loose priors around `start`.
[[nodiscard]] CpuComputeLaw fit_cpu_compute(std::span<const CpuRate> rates,
                                            const CpuComputeLaw& start = {},
                                            CpuConstants constants = CpuConstants::of_published);

struct CpuRateCheck {
  const CpuRate* rate;
  double predicted = 0;  // by the law fitted to the other networks
};

// `rates` of one phase.
[[nodiscard]] std::vector<CpuRateCheck> leave_one_network_out(
    std::span<const CpuRate> rates,
    const CpuComputeLaw& start = {},
    CpuConstants constants = CpuConstants::of_published);

}  // namespace rightsize
