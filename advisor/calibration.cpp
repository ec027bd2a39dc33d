#include "advisor/calibration.h"

#include "rightsize_calibration.h"  // generated: the tables' bytes

namespace rightsize {

GpuRates shipped_gpu_rates() {
  return {embedded::gpus_csv(), embedded::gpu_rates_csv()};
}

CpuSpeeds shipped_cpu_speeds() {
  return CpuSpeeds(embedded::cpu_speed_csv());
}

}  // namespace rightsize
