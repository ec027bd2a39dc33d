// How many items an update of training takes, and how GPUs and passes divide them, by the names
// that programs for large networks have for it: Megatron-LM's --micro-batch-size and
// --global-batch-size, DeepSpeed's gradient_accumulation_steps.
#pragma once

#include <cstdint>

#include "advisor/recommendation.h"

namespace rightsize {

struct UpdateBatch {
  int copies = 1;       // of the network, each with items of its own (data parallel)
  int micro_batch = 1;  // items of a copy that pass through together
  int passes = 1;       // of a copy before an update (gradient accumulation)

  [[nodiscard]] std::int64_t global() const { return std::int64_t{copies} * micro_batch * passes; }
};

// Whether GPUs write tokens together, without training: the batch is then all of theirs, as without
// a GPU it is the machine's.
[[nodiscard]] bool shares_decoding(const Query& query, const Option& option);
[[nodiscard]] bool is_batch_of_gpu(const Query& query, const Option& option);

// GPUs that take an item together, as NetworkStep counts them of what is asked.
[[nodiscard]] int gpus_per_copy(const Option& option);

// Of training; a machine without a GPU is one copy.
[[nodiscard]] UpdateBatch update_batch(const Query& query, const Option& option);

// Whether copies that share layers or experts divide the optimizer's state alone (ZeRO stage 1,
// Megatron-LM's --use-distributed-optimizer): the memory of each was counted so.
[[nodiscard]] bool divides_optimizer(const Query& query, const Option& option);

}  // namespace rightsize
