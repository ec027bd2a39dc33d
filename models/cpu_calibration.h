// Fits the law of networks on CPUs to published figures, and says how well it carries to a network
// it has not seen. The constants of cpu_compute_law() are this fit of calibration/cpu_rates.csv,
// inference and training apart.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/laws/cpu_compute.h"
#include "models/laws/cpu_speed.h"

namespace rightsize {

struct PublishedCpuRate {
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
[[nodiscard]] std::vector<PublishedCpuRate> parse_cpu_rates(std::string_view csv,
                                                            const CpuSpeeds& speeds);

[[nodiscard]] double predicted_cpu_rate(const CpuComputeLaw& law, const PublishedCpuRate& rate);

// Least squares on ln(predicted / published), robust, with loose priors around `start`.
[[nodiscard]] CpuComputeLaw fit_cpu_compute(std::span<const PublishedCpuRate> rates,
                                            const CpuComputeLaw& start = {});

struct CpuRateCheck {
  const PublishedCpuRate* rate;
  double predicted = 0;  // by the law fitted to the other networks
};

// `rates` of one phase.
[[nodiscard]] std::vector<CpuRateCheck> leave_one_network_out(
    std::span<const PublishedCpuRate> rates);

}  // namespace rightsize
