#include "advisor/calibration.h"

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/query/query.h"
#include "rightsize_calibration.h"  // generated: the tables' bytes

namespace rightsize {

GpuRates shipped_gpu_rates() {
  return {embedded::gpus_csv(), embedded::gpu_rates_csv(), embedded::gpu_step_csv()};
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

void add_own_rates(GpuRates& rates, std::vector<MeasuredRate> own) {
  for (auto& rate : own) {
    const auto* gpu = rates.find(rate.gpu);
    if (gpu == nullptr) {
      throw UsageError(fmt::format(
          "{}: \"{}\" is no GPU we know; rightsize gpus lists them", rate.said_by, rate.gpu));
    }
    rate.precision = available_precision(*gpu, rate.precision);
  }
  if (!own.empty()) {
    rates.add_measured(own);
  }
}

CpuSpeeds shipped_cpu_speeds() {
  return CpuSpeeds(embedded::cpu_speed_csv());
}

std::vector<ScalingFigure> shipped_scaling_figures() {
  return parse_scaling_figures(embedded::scaling_csv());
}

std::string_view shipped_cpu_rates_csv() {
  return embedded::cpu_rates_csv();
}

Model shipped_model() {
  return model_from_json(boost::json::parse(embedded::default_model_json()).as_object());
}

}  // namespace rightsize
