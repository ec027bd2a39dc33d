// Fits the constants of GpuStepLaw to published throughputs: robust least squares on ln(rate) with
// the constants' priors, and with an effect of each framework and network that is not kept (the
// residuals give it back, rate_blend.h). A curve over many batches counts as few independent
// figures: a weight of 1 / sqrt(its figures).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/laws/gpu_step.h"
#include "models/laws/gpu_work_cache.h"
#include "models/laws/published_rate.h"

namespace rightsize {

// What is left out of a fit, to test it on; empty: nothing.
struct LeftOut {
  std::string gpu;
  std::string network;
};

struct GpuStepFit {
  std::vector<double> values;  // as step_constants()
  bool converged = false;
  double log_rms = 0;  // of the residuals of ln(rate), effects taken off
};

// Starts from `start`, or from the priors where it is empty. Figures of unknown GPUs or networks
// are skipped.
[[nodiscard]] GpuStepFit fit_gpu_step(std::span<const PublishedRate> figures,
                                      std::span<const GpuSpec> gpus,
                                      const GpuWorkCache& works,
                                      const LeftOut& left_out = {},
                                      std::span<const double> start = {});

}  // namespace rightsize
