// How the layers of models that make pictures are tried out: in each phase, precision and layout.
#pragma once

#include <vector>

#include <doctest/doctest.h>

#include "kernels/networks/builder.h"
#include "support/bf16.h"
#include "support/evaluated.h"

namespace rightsize::test {

inline constexpr int picture_items = 3;
inline constexpr double exact = 1e-4;
inline constexpr double of_bf16 = 3e-2;
inline constexpr Window same{.kernel = 3, .pad = 1};

struct Run {
  Phase phase = Phase::train;
  Precision precision = Precision::fp32;
  int threads = 3;
  double tolerance = exact;
};

// Training and inference in FP32, and inference in BF16 where this CPU has it.
inline std::vector<Run> runs() {
  std::vector<Run> all{{}, {.phase = Phase::infer, .threads = 1}};
  if (cpu_runs_bf16()) {
    all.push_back({Phase::infer, Precision::bf16, 2, of_bf16});
  } else {
    MESSAGE("bf16 is skipped: this CPU has no AVX-512, which oneDNN's bf16 needs");
  }
  return all;
}

inline EvaluatedNetwork evaluated(const Network& network, const Run& run) {
  EngineOptions options;
  options.phase = run.phase;
  options.precision = run.precision;
  options.batch = picture_items;
  options.threads = run.threads;
  return {network, options};
}

inline NetworkBuilder picture(std::int64_t channels = 3, std::int64_t h = 9, std::int64_t w = 7) {
  return {"tiny", "Tiny", {channels, h, w}, 1};
}

}  // namespace rightsize::test
