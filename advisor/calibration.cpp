#include "advisor/calibration.h"

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

CpuSpeeds shipped_cpu_speeds() {
  return CpuSpeeds(embedded::cpu_speed_csv());
}

}  // namespace rightsize
