// What each GPU, or each copy that several share, takes of an update whose items all together are
// said (NetworkStep::global_batch): machines of any number of GPUs are then compared at the same
// training. Where they cannot have as much each, the nearest that they can is taken, if it is
// within a tenth of what is said. How GPUs and passes divide an update goes by the names that
// programs for large networks have for it: Megatron-LM's --micro-batch-size and
// --global-batch-size, DeepSpeed's gradient_accumulation_steps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "advisor/candidate/accelerator.h"

namespace rightsize {

// Whole shares that come nearest to `global_batch` items where `parts` take so many each; at least
// one.
[[nodiscard]] int nearest_share(int global_batch, int parts);

// Puts into the query, whose batch a GPU takes at once, how many of those are accumulated, or what
// the copies have of an update; nothing where no global batch is said.
void share_update(AcceleratorQuery& query);

// The same of a step on so many GPUs that each take `batch` at once.
[[nodiscard]] NetworkStep with_update_shared(NetworkStep step, int gpus, int batch);

struct UpdateBatch {
  int copies = 1;       // of the network, each with items of its own (data parallel)
  int micro_batch = 1;  // items of a copy that pass through together
  int passes = 1;       // of a copy before an update (gradient accumulation)

  [[nodiscard]] std::int64_t global() const { return std::int64_t{copies} * micro_batch * passes; }
};

// How so many GPUs that each take `batch` at once divide an update. Where several share a copy
// `batch` is each GPU's part, and `micro_batch` is what they pass through together.
[[nodiscard]] UpdateBatch divided_update(const NetworkStep& step,
                                         int gpus,
                                         int batch,
                                         int micro_batch = 1);

// Why those GPUs cannot come near to the update that is said; "" where they can, or none is.
[[nodiscard]] std::string why_no_update(const AcceleratorQuery& query);

// What a GPU of such an update may take at once, the most first: all that divide its share of it,
// up to `most`; of those that share a copy their part. Expects a global batch.
[[nodiscard]] std::vector<int> batches_of_update(const AcceleratorQuery& query, int most);

}  // namespace rightsize
