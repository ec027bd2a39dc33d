// A step of a network as it is asked for: what it computes, in whose software, and how GPUs may
// share it. The same part of every question: a job, a machine that is only described, one kind of
// GPU; each adds what it runs on.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernels/tuning.h"
#include "kernels/workload.h"
#include "models/laws/decode_form.h"
#include "models/laws/gpu_step.h"

namespace rightsize {

// What a language model writes, and in what form it lies in memory. Of decode.
struct Writing {
  // Of an item, a text: what is read and what is written after it. 0: items are single tokens, each
  // of a sequence whose cache holds as many as the step's sequence.
  int prompt_tokens = 0;
  int output_tokens = 0;
  // own: the precision's; empty: as the network is published (tokens/weights_taken.h).
  std::optional<WeightFormat> weights{};
  bool fp8_caches = false;  // of keys and values; else the precision's

  [[nodiscard]] bool of_texts() const { return output_tokens > 0; }
  // Token by token, in nothing that is said to be narrower than the precision.
  [[nodiscard]] bool as_usual() const {
    return prompt_tokens == 0 && output_tokens == 0 && !fp8_caches &&
           weights.value_or(WeightFormat::own) == WeightFormat::own;
  }
  bool operator==(const Writing&) const = default;
};

struct NetworkStep {
  std::string network = "resnet50";  // built-in, or the path of a network file
  int sequence = 0;                  // tokens per item; 0: the network's own
  Phase phase = Phase::train;
  Precision precision = Precision::fp32;
  std::optional<Stack> stack;         // the years of the libraries; empty: each GPU's own best
  std::string framework;              // as in calibration/gpu_rates.csv; empty: not named
  bool form_of_framework = false;     // "alexnet" was asked for: which one, the framework says
  bool tensor_parallel_said = false;  // of decode: then 1 is kept to as well

  Writing writing;     // of decode
  Tuning tuning;       // of training
  int accumulate = 1;  // minibatches that go through before the parameters are updated once

  // of training on several GPUs
  std::optional<Exchange> exchange;  // of gradients within a machine; empty: the fastest there
  // Blocks' activations are computed again in the backward pass; empty: where nothing else fits.
  std::optional<bool> recompute;
  // GPUs of a machine that share every layer, and stages that share the layers; 1: none.
  int tensor_parallel = 1;
  int pipeline_parallel = 1;
  int expert_parallel = 1;  // ranks that divide a mixture's experts; 1: none
  // GPUs that share each expert, where fewer than share every other layer; 0: as many.
  int expert_tensor_parallel = 0;
  int context_parallel = 1;  // GPUs that share every sequence; 1: none
  int virtual_pipeline = 0;  // parts of the layers that each stage has; 0: what is fastest

  // GPUs that take an item together.
  [[nodiscard]] int gpus_per_copy() const {
    return tensor_parallel * pipeline_parallel * context_parallel;
  }
  [[nodiscard]] int gpus_per_expert() const {
    return expert_tensor_parallel > 0 ? expert_tensor_parallel : tensor_parallel;
  }
  // Items that those which share a copy take in an update, where that is said; 0: as many as their
  // batches come to. Of training.
  int copy_batch = 0;
  // Items that all GPUs together take in an update, where that is said; 0: as many as their batches
  // come to (candidate/update_share.h). Of training.
  int global_batch = 0;

  bool operator==(const NetworkStep&) const = default;
};

}  // namespace rightsize
