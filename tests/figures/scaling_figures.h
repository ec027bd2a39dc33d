// Published throughput on several GPUs next to one, and what the exchange law makes of it: the
// check of scaling efficiency.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/laws/exchange.h"

namespace rightsize {

struct ScalingFigure {
  std::string network;
  Precision precision = Precision::fp32;
  int batch = 0;  // per GPU
  int sequence = 0;
  std::string gpu;
  int gpus = 0;  // of all nodes
  int nodes = 1;
  std::string interconnect;
  double one_gpu_rate = 0;
  double rate = 0;
  std::string unit;  // of both rates: "images/s", "sequences/s", "steps/s"
  std::string framework;
  std::string source;
};

// The text of calibration/scaling.csv. Throws ModelError with the line of a malformed row.
[[nodiscard]] std::vector<ScalingFigure> parse_scaling_figures(std::string_view csv);

struct ScalingCheck {
  double published = 0;  // efficiency: rate / (GPUs x one GPU's rate)
  double predicted = 0;
  Exchange exchange = Exchange::nccl;
  bool inside = false;  // the law's 90 % interval holds the published efficiency
};

// nullopt when the network is not built in.
[[nodiscard]] std::optional<ScalingCheck> check_scaling(const ScalingFigure& figure,
                                                        const GpuSpec& gpu);

}  // namespace rightsize
