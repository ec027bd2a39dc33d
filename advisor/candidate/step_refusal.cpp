#include "advisor/candidate/step_refusal.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/training_way.h"
#include "models/laws/expert_exchange.h"
#include "models/laws/framework_habits.h"

namespace rightsize {
namespace {

// Numbers of GPUs that may share every layer with so many stages: what to ask instead.
std::string fitting_tensor_parallel(const NetworkFacts& facts, const AcceleratorQuery& query) {
  std::vector<int> fitting;
  for (int gpus = 1; gpus <= query.gpus_per_node; ++gpus) {
    if (divides(
            {gpus, query.pipeline_parallel}, facts.shape, {query.gpus_per_node, query.nodes, {}})) {
      fitting.push_back(gpus);
    }
  }
  if (!fitting.empty()) {
    return fmt::format("{} would do", fmt::join(fitting, " or "));
  }
  for (int stages = 1; stages <= query.gpus_per_node * query.nodes; ++stages) {
    if (divides(
            {query.tensor_parallel, stages}, facts.shape, {query.gpus_per_node, query.nodes, {}})) {
      fitting.push_back(stages);
    }
  }
  return fmt::format("none does with so many stages{}",
                     fitting.empty()
                         ? ": ask for fewer"
                         : fmt::format("; {} stages would do", fmt::join(fitting, " or ")));
}

// Engines answer requests and learn nothing; of decoding their rates are another law's.
std::string why_not_by_engine(const AcceleratorQuery& query) {
  if (is_engine(query.framework) && query.stack == Stack::era) {
    return fmt::format("{} is known of today's libraries only: leave the stack of the era out",
                       query.framework);
  }
  return is_engine(query.framework) && query.phase != Phase::infer && query.phase != Phase::decode
             ? fmt::format("{} only answers: ask for phase infer, or name another framework",
                           query.framework)
             : "";
}

// Why the GPUs cannot share a copy of the network as the query says; empty where they can.
std::string why_not_shared(const NetworkFacts& facts, const AcceleratorQuery& query) {
  if (!shares_layers(query)) {
    return "";
  }
  if (query.exchange == Exchange::sharded || query.parameter_server ||
      query.compression != Compression::none || query.tuning.adapters.any()) {
    return "tensor and pipeline parallelism go with plain averaging of gradients by nccl: leave "
           "adapter, compression and another exchange out";
  }
  if (!facts.transformer) {
    return fmt::format(
        "{} is no transformer, whose layers GPUs could share: leave tensor_parallel and "
        "pipeline_parallel out",
        facts.network.name);
  }
  const ModelParallel way{query.tensor_parallel, query.pipeline_parallel};
  if (!divides(way, facts.shape, {query.gpus_per_node, query.nodes, {}})) {
    return fmt::format(
        "tensor_parallel = {} has to divide a machine's {} GPUs and {} heads of keys and values, "
        "and with {} stage{}, of {} blocks at most, the {} GPUs: {}",
        way.tensor,
        query.gpus_per_node,
        facts.shape.heads,
        way.pipeline,
        way.pipeline == 1 ? "" : "s",
        facts.shape.blocks,
        query.gpus_per_node * query.nodes,
        fitting_tensor_parallel(facts, query));
  }
  return "";
}

// Why the ranks cannot divide experts as the query says; empty where they can, or are not to.
std::string why_not_divided(const NetworkFacts& facts, const AcceleratorQuery& query) {
  if (query.expert_parallel == 1) {
    return "";
  }
  if (!has_experts(facts.network)) {
    return fmt::format(
        "{} is no mixture of experts, which ranks could divide: leave "
        "expert_parallel out",
        facts.network.name);
  }
  if (shares_layers(query) || query.exchange.value_or(Exchange::sharded) != Exchange::sharded ||
      query.tuning.adapters.any()) {
    return "expert_parallel goes with GPUs that share parameters (exchange = \"sharded\"): leave "
           "adapter, tensor_parallel, pipeline_parallel and another exchange out";
  }
  const Cluster cluster{query.gpus_per_node, query.nodes, {}};
  std::vector<int> fitting;
  for (int ranks = 2; ranks <= cluster.ranks(); ++ranks) {
    if (divides_experts(facts.network, cluster, ranks)) {
      fitting.push_back(ranks);
    }
  }
  return divides_experts(facts.network, cluster, query.expert_parallel)
             ? ""
             : fmt::format(
                   "expert_parallel = {} has to divide the experts of every layer and the "
                   "{} GPUs, by nodes or within one{}",
                   query.expert_parallel,
                   cluster.ranks(),
                   fitting.empty() ? "" : fmt::format(": {} would do", fmt::join(fitting, " or ")));
}

}  // namespace

std::string why_unsupported(const NetworkFacts& facts, const AcceleratorQuery& query) {
  const bool shards = has_backward(query.phase) && query.exchange == Exchange::sharded;
  if (shards && (query.parameter_server || query.compression != Compression::none)) {
    return "sharded training gathers and sums by itself: no parameter server and no compression "
           "goes with it";
  }
  auto reason = why_not_by_engine(query);
  reason = reason.empty() ? why_not_shared(facts, query) : reason;
  return reason.empty() ? why_not_divided(facts, query) : reason;
}

}  // namespace rightsize
