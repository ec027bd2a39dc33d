// Published training of transformers whose copies several GPUs share (tensor and pipeline
// parallel), and what the laws make of it: the time of a step and the memory of a GPU.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/laws/gpu_rate.h"
#include "models/laws/model_parallel.h"

namespace rightsize {

struct ParallelFigure {
  std::string network;  // built-in, or a config.json beside the table
  int sequence = 0;
  std::string gpu;
  int gpus = 0;  // of all nodes
  int nodes = 1;
  std::string interconnect;
  ModelParallel way;
  int global_batch = 0;  // items a step
  bool recompute = false;
  double step_s = 0;
  double memory_gib = 0;  // 0: not published
  std::string framework;
  std::string source;

  [[nodiscard]] int copies() const { return gpus / way.gpus(); }
};

// The text of calibration/parallel.csv. Throws ModelError with the line of a malformed row.
[[nodiscard]] std::vector<ParallelFigure> parse_parallel_figures(std::string_view csv);

struct ParallelCheck {
  double step_s = 0;
  double micro_s = 0;  // one micro-batch on one GPU's part of every layer
  double log_sd = 0;
  bool inside = false;   // the 90 % interval holds the published time
  GpuMemoryNeed memory;  // copies share the optimizer's state, blocks' inputs are not divided
};

// Asked as bf16 training by `framework` (empty: any). `folder` holds the config.json files. Throws
// where a network or GPU is not known.
[[nodiscard]] ParallelCheck check_parallel(const ParallelFigure& figure,
                                           const GpuRates& rates,
                                           std::string_view framework,
                                           const std::string& folder);

}  // namespace rightsize
