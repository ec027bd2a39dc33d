#include "advisor/knowledge.h"

#include <utility>

#include "advisor/calibration.h"
#include "models/carry.h"

namespace rightsize {

Knowledge knowledge_with(Model model) {
  auto gpu_rates = gpu_rates_with(model);
  // A format that no run read goes by its nearest relative, and what a quota loses on machines for
  // rent by its prior, as the Estimator has it.
  return {carried_model(model, {.other_cpu = true}),
          shipped_catalog(),
          std::move(gpu_rates),
          shipped_cpu_speeds()};
}

}  // namespace rightsize
