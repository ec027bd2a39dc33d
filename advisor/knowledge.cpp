#include "advisor/knowledge.h"

#include <utility>

#include "advisor/calibration.h"
#include "models/carry.h"

namespace rightsize {

Knowledge knowledge_with(Model model) {
  auto gpu_rates = gpu_rates_with(model);
  // A format that no run read goes by its nearest relative, as the Estimator has it.
  return {carried_model(model), shipped_catalog(), std::move(gpu_rates), shipped_cpu_speeds()};
}

}  // namespace rightsize
