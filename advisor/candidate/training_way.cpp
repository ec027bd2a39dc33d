#include "advisor/candidate/training_way.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/decode_rate.h"

namespace rightsize {

namespace {

// Parts of a stage's layers to try, where a step has so many portions.
std::vector<int> chunks_of(const NetworkFacts& facts, const AcceleratorQuery& query, int portions) {
  if (query.virtual_pipeline == 0) {
    return possible_chunks(facts.shape, query.pipeline_parallel, portions);
  }
  const bool can =
      may_interleave(facts.shape, query.pipeline_parallel, portions, query.virtual_pipeline);
  return can ? std::vector<int>{query.virtual_pipeline} : std::vector<int>{};
}

// Portions of 1, 2, 4 or 8 items that divide what a copy is given in a step; of copies that divide
// experts alone, whose minibatches are said, those.
// `divided`: the copies have a part of the parameters each, too.
void add_parallel_ways(const NetworkFacts& facts,
                       const AcceleratorQuery& query,
                       bool divided,
                       std::vector<MemoryWay>& ways) {
  ModelParallel parallel{.tensor = query.tensor_parallel,
                         .pipeline = query.pipeline_parallel,
                         .experts = query.expert_parallel,
                         .context = query.context_parallel,
                         .expert_tensor = query.expert_tensor_parallel};
  const int ranks = query.gpus_per_node * query.nodes / parallel.parts();
  constexpr int most_items = 8;
  const bool said = parallel.gpus() == 1;
  for (const bool recompute : {false, true}) {
    if (query.recompute && *query.recompute != recompute) {
      continue;
    }
    for (int items = said ? query.batch : 1; items <= (said ? query.batch : most_items);
         items *= 2) {
      if (items_of_copy(query) % items != 0) {
        continue;
      }
      parallel.micro_batch = items;
      for (const int chunks : chunks_of(facts, query, items_of_copy(query) / items)) {
        parallel.chunks = chunks;
        ways.push_back({.shards = ranks,
                        .recompute = recompute,
                        .parallel = parallel,
                        .divides_parameters = divided});
      }
    }
  }
}

// Shards that gather all but experts, which they divide.
void add_gathering_ways(const AcceleratorQuery& query, std::vector<MemoryWay>& ways) {
  for (const bool recompute : {false, true}) {
    if (query.recompute.value_or(recompute) == recompute) {
      ways.push_back({.shards = query.gpus_per_node * query.nodes,
                      .recompute = recompute,
                      .gathered_experts = query.expert_parallel});
    }
  }
}

}  // namespace

std::vector<MemoryWay> training_ways(const NetworkFacts& facts, const AcceleratorQuery& query) {
  const int ranks = query.gpus_per_node * query.nodes;
  const int table_ranks = facts.table_elements > 0 ? ranks : 1;
  if (!has_backward(query.phase)) {  // replicas, or all GPUs together where one has no room
    return table_ranks > 1 ? std::vector<MemoryWay>{{}, {.table_ranks = table_ranks}}
                           : std::vector<MemoryWay>{{}};
  }
  if (is_split_as_asked(query)) {
    std::vector<MemoryWay> parallel;
    const bool may_gather = query.exchange.value_or(Exchange::sharded) == Exchange::sharded;
    const bool several = ranks > query.tensor_parallel * query.pipeline_parallel;
    if (query.exchange != Exchange::sharded || !several) {
      add_parallel_ways(facts, query, false, parallel);
    }
    if (may_gather && query.gpus_per_copy() == 1) {
      add_gathering_ways(query, parallel);
    } else if (may_gather && several && query.pipeline_parallel == 1 &&
               query.gpus_per_expert() == query.tensor_parallel) {
      add_parallel_ways(facts, query, true, parallel);
    }
    return parallel;
  }
  const bool sharded = query.exchange == Exchange::sharded;
  const MemoryWay asked{.shards = sharded && ranks > 1 ? ranks : 0,
                        .recompute = query.recompute.value_or(false),
                        .table_ranks = table_ranks};
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

bool is_split_as_asked(const AcceleratorQuery& query) {
  return has_backward(query.phase) && query.gpus_per_copy() * query.expert_parallel > 1;
}

std::string words_of(const MemoryWay& way) {
  std::vector<std::string> words;
  const auto add = [&](bool said, const char* text, int count) {
    if (said) {
      words.push_back(fmt::format(fmt::runtime(text), count));
    }
  };
  const auto& parallel = way.parallel;
  add(parallel.tensor > 1, "{} share every layer", parallel.tensor);
  add(parallel.context > 1, "{} share every sequence", parallel.context);
  add(parallel.pipeline > 1, "{} stages", parallel.pipeline);
  add(parallel.chunks > 1, "{} parts of the layers in each", parallel.chunks);
  add(way.gathers(), "parameters sharded", way.shards);
  add(way.expert_ranks() > 1, "experts divided by {}", way.expert_ranks());
  add(parallel.folds(),
      parallel.gpus_of_expert() == 1 ? "each expert whole on a GPU" : "{} share each expert",
      parallel.gpus_of_expert());
  add(way.table_ranks > 1, "tables divided by {}", way.table_ranks);
  add(parallel.gpus() > 1, "micro-batches of {}", parallel.micro_batch);
  add(way.recompute, "blocks recomputed", 0);
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string recomputed_in_vain(const Network& network, Precision precision) {
  return recomputation_spares(network, precision)
             ? ""
             : fmt::format(
                   "recomputation takes time and spares no memory of {}: what its blocks "
                   "pass on is as much as all that is kept; leave it out",
                   network.name);
}

bool way_fits_gpu(const GpuMemoryLaw& law,
                  const AcceleratorQuery& query,
                  const GpuSpec& sold,
                  const MemoryWay& way) {
  return judge_memory(single_gpu_memory(law, query, way), sold) != MemoryVerdict::too_small;
}

bool fits_gpu(const NetworkFacts& facts,
              const AcceleratorQuery& query,
              const GpuSpec& gpu,
              MemorySpared spared) {
  return fits_gpu(memory_law(facts, query), facts, query, gpu, spared);
}

bool fits_gpu(const GpuMemoryLaw& law,
              const NetworkFacts& facts,
              const AcceleratorQuery& query,
              const GpuSpec& gpu,
              MemorySpared spared) {
  const auto sold = gpu_as_sold(gpu, query.gpu_memory_bytes);
  if (query.phase == Phase::decode) {
    return decode_fits(sold, facts, query);
  }
  auto ways = training_ways(facts, query);
  const bool as_asked = spared == MemorySpared::as_asked;
  if (as_asked && !is_split_as_asked(query)) {
    ways.resize(1);
  } else if (as_asked && query.gpus_per_copy() == 1) {
    std::erase_if(ways, [&](const MemoryWay& way) { return way.recompute && !query.recompute; });
  }
  return std::any_of(ways.begin(), ways.end(), [&](const MemoryWay& way) {
    return way_fits_gpu(law, query, sold, way);
  });
}

}  // namespace rightsize
