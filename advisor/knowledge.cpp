#include "advisor/knowledge.h"

#include <utility>

#include "advisor/calibration.h"

namespace rightsize {

Knowledge knowledge_with(Model model) {
  auto gpu_rates = gpu_rates_with(model);
  return {std::move(model), shipped_catalog(), std::move(gpu_rates), shipped_cpu_speeds()};
}

}  // namespace rightsize
