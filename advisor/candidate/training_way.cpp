#include "advisor/candidate/training_way.h"

#include <algorithm>
#include <cstdint>

#include "advisor/candidate/decode_rate.h"

namespace rightsize {

namespace {

// Portions of 1, 2, 4 or 8 items that divide what a copy is given in a step.
void add_parallel_ways(const AcceleratorQuery& query, std::vector<MemoryWay>& ways) {
  ModelParallel parallel{query.tensor_parallel, query.pipeline_parallel};
  const int copies = query.gpus_per_node * query.nodes / parallel.gpus();
  constexpr int most_items = 8;
  for (const bool recompute : {false, true}) {
    if (query.recompute && *query.recompute != recompute) {
      continue;
    }
    for (int items = 1; items <= most_items; items *= 2) {
      parallel.micro_batch = items;
      if (items_of_copy(query) % items == 0) {
        ways.push_back({copies, recompute, parallel});
      }
    }
  }
}

}  // namespace

std::vector<MemoryWay> training_ways(const NetworkFacts& facts, const AcceleratorQuery& query) {
  if (!has_backward(query.phase)) {
    return {{}};
  }
  const int ranks = query.gpus_per_node * query.nodes;
  if (shares_layers(query)) {
    std::vector<MemoryWay> parallel;
    add_parallel_ways(query, parallel);
    return parallel;
  }
  const bool divided = query.expert_parallel > 1;
  const bool sharded = query.exchange == Exchange::sharded || divided;
  const MemoryWay asked{.shards = sharded && ranks > 1 ? ranks : 0,
                        .recompute = query.recompute.value_or(false),
                        .expert_ranks = query.expert_parallel};
  std::vector<MemoryWay> ways{asked};
  if (!facts.transformer) {
    return ways;
  }
  const bool may_shard = !query.exchange && !divided && ranks > 1 && !query.parameter_server &&
                         query.compression == Compression::none;
  const bool may_recompute = !query.recompute;
  if (may_recompute) {
    ways.push_back({.shards = asked.shards, .recompute = true, .expert_ranks = asked.expert_ranks});
  }
  if (may_shard) {
    ways.push_back({ranks, asked.recompute});
  }
  if (may_recompute && may_shard) {
    ways.push_back({ranks, true});
  }
  return ways;
}

bool shares_layers(const AcceleratorQuery& query) {
  return has_backward(query.phase) && query.tensor_parallel * query.pipeline_parallel > 1;
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
  ways.resize(spared || shares_layers(query) ? ways.size() : 1);
  return std::any_of(ways.begin(), ways.end(), [&](const MemoryWay& way) {
    return judge_memory(single_gpu_memory(facts, query, way), sold) != MemoryVerdict::too_small;
  });
}

}  // namespace rightsize
