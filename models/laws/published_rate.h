// A throughput that somebody published or that was measured here: what the GPU laws are fitted to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/tuning.h"
#include "kernels/workload.h"
#include "models/laws/gpu_step.h"

namespace rightsize {

// What a measured step did beside the network's own work.
struct MeasuredStep {
  Tuning tuning{};
  int accumulate = 1;      // minibatches before an update
  bool recompute = false;  // blocks' forward pass, in the backward pass
  bool sharded = false;    // parameters, among as many GPUs as the query's
  // Or nothing was run again and parameters were shared: nobody said, and one GPU has room for
  // either. What is asked for is taken to have been measured, and the mean where neither is.
  bool or_sharded = false;

  bool operator==(const MeasuredStep&) const = default;
};

struct PublishedRate {
  std::string network;
  int sequence = 0;  // tokens per item; 0: the network's own
  Phase phase = Phase::train;
  Precision precision = Precision::fp32;
  std::string gpu;  // canonical name
  int batch = 0;
  double items_per_s = 0;
  Stack stack = Stack::current;
  std::string framework;
  std::string source{};
  bool measured = false;        // by rightsize itself or the user
  bool of_user = false;         // measured, of the user's own program
  MeasuredStep step{};          // of what was measured
  bool recompute_known = true;  // false: step.recompute is what the GPU's memory asks for
};

// A rate seen on a GPU of a machine that rightsize ran on, or that the user saw: goes before every
// published figure, and the job's rates on other GPUs go by it.
struct MeasuredRate {
  std::string network;
  Phase phase = Phase::train;
  Precision precision = Precision::fp32;
  std::string gpu;  // canonical name
  int batch = 0;
  double items_per_s = 0;
  int sequence = 0;  // tokens per item; 0: the network's own; decode: what the caches hold
  int prompt = 0;    // decode: tokens in the caches where writing began
  Stack stack = Stack::current;
  std::string framework{};  // whose software the user ran; empty: whose is asked for
  std::string said_by{};    // "job.toml:3"; empty: rightsize measured it on this machine
  MeasuredStep step{};
  bool recompute_known = true;  // false: step.recompute is what the GPU's memory asks for
  double gpu_memory_gb = 0;     // of a GPU that is sold with two sizes; 0: the data sheet's
  bool of_stages = false;       // of a job whose stages share the layers; batch 0: nobody said what
                                // passed through at once
};

// "412.5/s", "13909/s".
[[nodiscard]] std::string per_second(double items_per_s);

// The rows of calibration/gpu_rates.csv. Throws ModelError with the line number of a malformed row.
[[nodiscard]] std::vector<PublishedRate> parse_published_rates(std::string_view csv);

// Tokens per item where 0 means the network's own; 0 for networks that read none.
[[nodiscard]] int resolved_sequence(std::string_view network, int sequence);

// What counts as one network among figures: "bert-large:384" and "bert-large:512" are two.
[[nodiscard]] std::string network_key(std::string_view network, int sequence);

// Networks built alike err alike: "resnet" of resnet18, resnext101-32x4d and se-resnext101-32x4d,
// "inception" of googlenet and inception-v3, "vgg" of vgg16.
[[nodiscard]] std::string network_family(std::string_view network);

// A framework whoever published it and whatever its version: "PyTorch" of "PyTorch 0.3", "PyTorch
// compile" and "PyTorch (timm)".
[[nodiscard]] std::string framework_family(std::string_view framework);

// "era" or "current".
[[nodiscard]] std::string_view to_string(Stack stack);

}  // namespace rightsize
