// What an option's batches are of: how many items an update of training takes, and how its GPUs
// and passes divide them.
#pragma once

#include "advisor/candidate/update_share.h"
#include "advisor/recommendation.h"

namespace rightsize {

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
