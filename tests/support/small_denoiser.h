// Denoisers small enough for tests of the CPU engine, and how these run them.
#pragma once

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/diffusion/unet.h"
#include "support/tiny_batch.h"

namespace rightsize::test {

inline constexpr int denoised_items = 2;

inline constexpr diffusion::UNetShape two_levels{.levels = 2,
                                                 .channels = {32, 64, 0, 0},
                                                 .depth = {1, 0, 0, 0},
                                                 .heads = 2,
                                                 .linear_ends = false,
                                                 .added = 0};

inline EngineOptions options_for(Phase phase, Precision precision = Precision::fp32) {
  EngineOptions options;
  options.phase = phase;
  options.precision = precision;
  options.batch = denoised_items;
  options.threads = 2;
  options.learning_rate = 2e-3F;
  return options;
}

inline double loss_of(const Network& network, const EngineOptions& options) {
  return cpu::CpuEngine(network, options)
      .evaluate(test::noise_batch(network, options.batch).view())
      .loss.value();
}

}  // namespace rightsize::test
