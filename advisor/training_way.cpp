#include "advisor/training_way.h"

#include <algorithm>

#include "advisor/decode_rate.h"

namespace rightsize {

std::vector<MemoryWay> training_ways(const NetworkFacts& facts, const AcceleratorQuery& query) {
  if (!has_backward(query.phase)) {
    return {{}};
  }
  const int ranks = query.gpus_per_node * query.nodes;
  const bool sharded = query.exchange == Exchange::sharded;
  const MemoryWay asked{sharded && ranks > 1 ? ranks : 0, query.recompute.value_or(false)};
  std::vector<MemoryWay> ways{asked};
  if (!facts.transformer) {
    return ways;
  }
  const bool may_shard = !query.exchange && ranks > 1 && !query.parameter_server &&
                         query.compression == Compression::none;
  const bool may_recompute = !query.recompute;
  if (may_recompute) {
    ways.push_back({asked.shards, true});
  }
  if (may_shard) {
    ways.push_back({ranks, asked.recompute});
  }
  if (may_recompute && may_shard) {
    ways.push_back({ranks, true});
  }
  return ways;
}

bool fits_gpu(const NetworkFacts& facts,
              const AcceleratorQuery& query,
              const GpuSpec& gpu,
              bool spared) {
  const auto sold = gpu_as_sold(gpu, query.gpu_memory_bytes);
  if (query.phase == Phase::decode) {
    return decode_fits(sold, facts, query);
  }
  auto ways = training_ways(facts, query);
  ways.resize(spared ? ways.size() : 1);
  return std::any_of(ways.begin(), ways.end(), [&](const MemoryWay& way) {
    const auto need =
        gpu_memory_need(facts.network, query.phase, query.precision, query.batch, way);
    return judge_memory(need, sold) != MemoryVerdict::too_small;
  });
}

}  // namespace rightsize
