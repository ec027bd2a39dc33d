#include "advisor/candidate/experts_refusal.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/laws/expert_exchange.h"

namespace rightsize {
namespace {

// Numbers of copies that may divide the experts.
std::string fitting_expert_parallel(const Network& network, const Cluster& copies) {
  std::vector<int> fitting;
  for (int ranks = 2; ranks <= copies.ranks(); ++ranks) {
    if (divides_experts(network, copies, ranks)) {
      fitting.push_back(ranks);
    }
  }
  return fitting.empty() ? "leave it out" : fmt::format("{} would do", fmt::join(fitting, " or "));
}

// The fewest GPUs with so many experts' ranks, each of so many GPUs, beside whole copies.
int least_gpus(const AcceleratorQuery& query, int gpus_of_expert) {
  const int ranks = query.expert_parallel * gpus_of_expert;
  const int together = gpus_of_expert == query.tensor_parallel
                           ? ranks
                           : std::lcm(ranks, query.tensor_parallel * query.context_parallel);
  return query.pipeline_parallel * together;
}

// How many it takes where each expert lies whole on a GPU; "" where that is no fewer.
std::string words_of_folding(const AcceleratorQuery& query) {
  const int folded = least_gpus(query, 1);
  return folded < least_gpus(query, query.gpus_per_expert())
             ? fmt::format("; with expert_tensor_parallel = 1 it takes {}", folded)
             : "";
}

// What of the GPUs divides experts.
const char* places_of(const ModelParallel& way) {
  return !way.folds()                ? "copies"
         : way.gpus_of_expert() == 1 ? "GPUs of a stage"
                                     : "groups of a stage's GPUs that share one";
}

}  // namespace

std::string why_experts_not_divided(const NetworkFacts& facts, const AcceleratorQuery& query) {
  const ModelParallel way{.tensor = query.tensor_parallel,
                          .pipeline = query.pipeline_parallel,
                          .expert_tensor = query.expert_tensor_parallel};
  if (!has_backward(query.phase) || (query.expert_parallel == 1 && !way.folds())) {
    return "";
  }
  if (way.folds() && query.exchange == Exchange::sharded) {
    return "expert_tensor_parallel below tensor_parallel goes with parameters that are kept, whose "
           "optimizer's state alone is divided: leave the exchange sharded out";
  }
  if (query.parameter_server || query.compression != Compression::none ||
      query.exchange == Exchange::local || query.exchange == Exchange::device) {
    return "expert_parallel goes with exchange = \"sharded\" (all other parameters are gathered) "
           "or \"nccl\" (each GPU has them): leave compression and another exchange out";
  }
  if (const int least = least_gpus(query, way.gpus_of_expert());
      query.gpus_per_node * query.nodes < least) {  // the same words of all that have fewer
    return fmt::format("expert_parallel = {} takes {} GPUs: ask for as many, or leave it out{}",
                       query.expert_parallel,
                       least,
                       words_of_folding(query));
  }
  const auto copies = expert_copies_of(way, {query.gpus_per_node, query.nodes, {}});
  return divides_experts(facts.network, copies, query.expert_parallel)
             ? ""
             : fmt::format(
                   "expert_parallel = {} has to divide the experts of every layer and the {} "
                   "{}, in one machine or by whole ones: {}",
                   query.expert_parallel,
                   copies.ranks(),
                   places_of(way),
                   fitting_expert_parallel(facts.network, copies));
}

}  // namespace rightsize
