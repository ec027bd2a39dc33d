// What answers are drawn from, owned in one place: the fitted model, the price tables, and the
// published figures of GPUs and CPUs.
#pragma once

#include "advisor/search.h"

namespace rightsize {

struct Knowledge {
  Model model;
  Catalog catalog;
  GpuRates gpu_rates;
  CpuSpeeds cpu_speeds;

  // Borrows from this; valid while it lives.
  [[nodiscard]] Evidence evidence() const { return {model, catalog, gpu_rates, cpu_speeds}; }
};

// The model beside the tables and figures this binary ships; what the model saw on its own GPU goes
// before what was published.
[[nodiscard]] Knowledge knowledge_with(Model model);

}  // namespace rightsize
