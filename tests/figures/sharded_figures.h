// Published training of large transformers, of all parameters shared by GPUs or of adapters alone,
// and what the laws make of it: rate, memory, and whether it fits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/laws/gpu_memory.h"
#include "models/laws/gpu_rate.h"

namespace rightsize {

struct ShardedFigure {
  // none and blocks are what the laws know; selective keeps the dear operations of a block.
  enum class Recompute { none, blocks, selective };

  std::string network;  // built-in, or a config.json beside the table
  int sequence = 0;
  int batch = 0;  // sequences a GPU between two exchanges
  std::string gpu;
  int gpus = 0;  // of all nodes
  int nodes = 1;
  std::string interconnect;
  bool sharded = true;  // else ZeRO stage 1: gradients are averaged
  Recompute recompute = Recompute::none;
  Tuning tuning;
  double tokens_per_s_per_gpu = 0;  // 0: not published
  double memory_gib = 0;            // 0: not published
  std::string framework;
  std::string source;

  [[nodiscard]] int gpus_per_node() const { return gpus / nodes; }
};

// The text of calibration/sharded.csv or adapters.csv, which has a column more. Throws ModelError
// with the line of a malformed row.
[[nodiscard]] std::vector<ShardedFigure> parse_sharded_figures(
    std::string_view csv, std::string_view name = "calibration/sharded.csv");

struct ShardedCheck {
  double tokens_per_s_per_gpu = 0;  // selective: with nothing run again
  double one_gpu_tokens_per_s = 0;  // the same GPU with nothing to exchange
  double log_sd = 0;
  bool inside = false;  // the 90 % interval holds the published rate
  GpuMemoryNeed most;   // selective: with nothing run again
  GpuMemoryNeed least;  // selective: with all blocks run again
  RateRegime regime = RateRegime::neither;
};

// Asked as bf16 training by `framework` (empty: any). `folder` holds the config.json files. Throws
// where a network or GPU is not known.
[[nodiscard]] ShardedCheck check_sharded(const ShardedFigure& figure,
                                         const GpuRates& rates,
                                         std::string_view framework,
                                         const std::string& folder);

}  // namespace rightsize
