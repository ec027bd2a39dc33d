#include "advisor/update_batch.h"

#include <algorithm>
#include <cmath>

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
  NetworkStep step = query;  // as the option's GPUs share it, whether or not that was asked for
  step.tensor_parallel = option.tensor_parallel;
  step.pipeline_parallel = option.pipeline_parallel;
  step.context_parallel = option.context_parallel;
  return divided_update(step, gpus, option.batch_per_gpu, option.micro_batch);
}

bool divides_optimizer(const Query& query, const Option& option) {
  return option.micro_batch > 0 && !option.sharded && update_batch(query, option).copies > 1 &&
         !query.tuning.adapters.any();
}

}  // namespace rightsize
