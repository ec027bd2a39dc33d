#include <algorithm>

#include "models/simulate/pipeline.h"

namespace rightsize {

StallBreakdown simulated_stalls(const Laws& laws,
                                const Setting& setting,
                                const SimulationOptions& options) {
  SimulationOptions quiet = options;
  quiet.trace = nullptr;
  const double as_asked_s = 1.0 / simulate_pipeline(laws, setting, quiet).items_per_s;
  SimulationOptions cached = quiet;
  cached.miss_ratio = 0;
  const double cached_s =
      std::min(as_asked_s, 1.0 / simulate_pipeline(laws, setting, cached).items_per_s);
  Setting synthetic = setting;
  synthetic.workload.data = DataFormat::synthetic;
  Laws no_data = laws;
  no_data.data_cpu_s = 0;
  const auto ready = simulate_pipeline(no_data, synthetic, quiet);
  const double ready_s = std::min(cached_s, 1.0 / ready.items_per_s);
  const double copy_s = ready_s > 0 ? ready_s * ready.accelerator_copy : 0;  // of no time no share
  const double step = (ready_s - copy_s) / as_asked_s;
  return {step * (1 - setting.exchange_share - setting.launch_share),
          step * setting.exchange_share,
          step * setting.launch_share,
          copy_s / as_asked_s,
          (cached_s - ready_s) / as_asked_s,
          (as_asked_s - cached_s) / as_asked_s};
}

}  // namespace rightsize
