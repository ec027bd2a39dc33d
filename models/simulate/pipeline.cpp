#include "models/simulate/pipeline.h"

#include <algorithm>

#include "models/simulate/pipeline_simulation.h"
#include "models/simulate/wave.h"

namespace rightsize {

std::uint64_t fewest_simulated_items(const Setting& setting) {
  const int batch = std::max(1, setting.workload.batch);
  return 2 * simulate::minibatches_of_wave(setting) * static_cast<std::uint64_t>(batch);
}

SimulationSummary simulate_pipeline(const Laws& laws,
                                    const Setting& setting,
                                    const SimulationOptions& options) {
  return simulate::PipelineSimulation(laws, setting, options).run();
}

JobSimulation simulate_job(const Laws& laws,
                           const Setting& setting,
                           const SimulationOptions& options,
                           const JobLength& length) {
  auto whole = options;
  whole.items_per_event = setting.workload.batch;
  whole.cold_items = static_cast<std::uint64_t>(length.first_items());
  whole.miss_ratio = -1;
  whole.trace = nullptr;
  return simulate::PipelineSimulation(laws, setting, whole).run_job(length);
}

}  // namespace rightsize
