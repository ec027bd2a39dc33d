#include "models/laws/energy.h"

#include <algorithm>
#include <cmath>

#include "models/laws/normal_quantile.h"

namespace rightsize {
namespace {

// Data-centre cards idle at 8-20 % of their TDP.
constexpr double idle_share = 0.12;
// Of ln(watts): how far dense work stays from the TDP, from memory-bound to matrix products.
constexpr double data_sheet_log_sd = 0.15;
constexpr double measured_log_sd = 0.03;

}  // namespace

std::optional<PowerLaw> power_of(const GpuSpec& gpu, std::optional<double> measured_full_w) {
  if (!(gpu.tdp_w > 0)) {
    return std::nullopt;
  }
  return PowerLaw{idle_share * gpu.tdp_w,
                  measured_full_w.value_or(gpu.tdp_w),
                  measured_full_w ? Source::measured : Source::assumed};
}

double watts(const PowerLaw& law, double busy) {
  return law.idle_w + (law.full_w - law.idle_w) * std::clamp(busy, 0.0, 1.0);
}

Energy energy_of(const PowerLaw& law, int gpus, double busy, const Estimate& rate) {
  const double log_sd = law.source == Source::measured ? measured_log_sd : data_sheet_log_sd;
  const double power = gpus * watts(law, busy);
  const double most = gpus * law.full_w;
  Energy energy;
  // More than at full load is not drawn for long.
  energy.watts = {power,
                  power * std::exp(-normal_90 * log_sd),
                  std::max(power, std::min(most, power * std::exp(normal_90 * log_sd))),
                  rate.confidence,
                  "W",
                  law.source};
  // The rate's error and the power's are taken as independent, and both as symmetric in logarithms.
  const double rate_log_sd = std::log(rate.high / rate.low) / (2 * normal_90);
  const double spread = std::exp(normal_90 * std::hypot(rate_log_sd, log_sd));
  const double value = rate.value / power;
  const auto slash = rate.unit.find('/');
  energy.items_per_joule = {value,
                            value / spread,
                            value * spread,
                            rate.confidence,
                            rate.unit.substr(0, slash) + "/J",
                            weaker(rate.source, law.source)};
  return energy;
}

}  // namespace rightsize
