#include "advisor/candidate/step_refusal.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/experts_refusal.h"
#include "advisor/candidate/training_way.h"
#include "advisor/candidate/update_share.h"
#include "advisor/query/network_misfit.h"
#include "kernels/work.h"
#include "models/laws/compiled_rate.h"
#include "models/laws/decode_software.h"
#include "models/laws/framework_habits.h"
#include "models/laws/toolchain.h"

namespace rightsize {
namespace {

// Numbers of GPUs that may share every layer with so many stages: what to ask instead.
std::string fitting_tensor_parallel(const NetworkFacts& facts, const AcceleratorQuery& query) {
  std::vector<int> fitting;
  for (int gpus = 1; gpus <= query.gpus_per_node; ++gpus) {
    if (divides({.tensor = gpus,
                 .pipeline = query.pipeline_parallel,
                 .context = query.context_parallel},
                facts.shape,
                {query.gpus_per_node, query.nodes, {}})) {
      fitting.push_back(gpus);
    }
  }
  if (!fitting.empty()) {
    return fmt::format("{} would do", fmt::join(fitting, " or "));
  }
  for (int stages = 1; stages <= query.gpus_per_node * query.nodes; ++stages) {
    if (divides({.tensor = query.tensor_parallel,
                 .pipeline = stages,
                 .context = query.context_parallel},
                facts.shape,
                {query.gpus_per_node, query.nodes, {}})) {
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

// Why stages cannot have as many parts of the layers as the query says; empty where they can.
std::string why_not_interleaved(const NetworkFacts& facts, const AcceleratorQuery& query) {
  const int items = items_of_copy(query);
  const int stages = query.pipeline_parallel;
  if (query.virtual_pipeline == 0 ||
      may_interleave(facts.shape, stages, items, query.virtual_pipeline)) {
    return "";
  }
  if (items % stages != 0) {
    return fmt::format(
        "virtual_pipeline = {}: the {} items that a copy takes in a step are no multiple of the {} "
        "stages; ask for another batch, or leave it out",
        query.virtual_pipeline,
        items,
        stages);
  }
  return fmt::format("virtual_pipeline = {}: {} stages of {} blocks have {} parts at most",
                     query.virtual_pipeline,
                     stages,
                     facts.shape.blocks,
                     facts.shape.blocks / stages);
}

// Where positions are to be divided.
std::string why_not_by_positions(const NetworkFacts& facts, const AcceleratorQuery& query) {
  if (query.context_parallel > facts.shape.positions) {
    return fmt::format("context_parallel = {} divides {} positions: ask for fewer GPUs",
                       query.context_parallel,
                       facts.shape.positions);
  }
  const int sharing = query.gpus_per_copy();
  if (query.context_parallel > 1 && (query.gpus_per_node * query.nodes) % sharing != 0) {
    return fmt::format(
        "context_parallel = {} with tensor_parallel = {} and pipeline_parallel = {} has {} GPUs "
        "share a copy: ask for a multiple of that many GPUs, or leave context_parallel out",
        query.context_parallel,
        query.tensor_parallel,
        query.pipeline_parallel,
        sharing);
  }
  return "";
}

// Where heads are, and blocks.
std::string why_not_by_heads(const NetworkFacts& facts, const AcceleratorQuery& query) {
  const ModelParallel way{.tensor = query.tensor_parallel,
                          .pipeline = query.pipeline_parallel,
                          .context = query.context_parallel};
  if (divides(way, facts.shape, {query.gpus_per_node, query.nodes, {}})) {
    return "";
  }
  const auto& shape = facts.shape;
  return fmt::format(
      "tensor_parallel = {} has to divide a machine's {} GPUs and {} head{} of keys and values{}, "
      "and with {} stage{}, of {} blocks at most, the {} GPUs: {}",
      way.tensor,
      query.gpus_per_node,
      shape.heads,
      shape.heads == 1 ? "" : "s",
      way.tensor > shape.heads
          ? fmt::format(" (or be a multiple of them that divides the {} of queries)",
                        shape.query_heads)
          : "",
      way.pipeline,
      way.pipeline == 1 ? "" : "s",
      facts.shape.blocks,
      query.gpus_per_node * query.nodes,
      fitting_tensor_parallel(facts, query));
}

// Why the GPUs cannot share a copy of the network as the query says; empty where they can.
std::string why_not_shared(const NetworkFacts& facts, const AcceleratorQuery& query) {
  if (!has_backward(query.phase) || query.gpus_per_copy() == 1) {
    return "";
  }
  if (query.exchange == Exchange::sharded && query.pipeline_parallel > 1) {
    return "pipeline parallelism keeps the parameters of its stages for all of a step's "
           "micro-batches, and its copies share the optimizer's state alone: leave the exchange "
           "sharded out";
  }
  if (query.parameter_server || query.compression != Compression::none) {
    return "tensor, pipeline and context parallelism go with plain averaging of gradients by nccl, "
           "or with parameters sharded: leave compression and another exchange out";
  }
  if (query.tuning.adapters.narrow) {
    return "matrices in 4 bits are not divided among GPUs: ask for lora in place of qlora, or "
           "leave tensor_parallel, pipeline_parallel and context_parallel out";
  }
  constexpr int most_items = 1 << 22;
  if (items_of_copy(query) > most_items) {
    return fmt::format(
        "a batch of {} a GPU is more than {} of the {} that share a copy: ask for a "
        "smaller one",
        query.batch,
        most_items,
        query.gpus_per_copy());
  }
  for (auto* why_not : {why_not_by_positions, why_not_by_heads, why_not_interleaved}) {
    if (auto reason = why_not(facts, query); !reason.empty()) {
      return reason;
    }
  }
  return "";
}

CompiledQuestion compiled_question(const NetworkFacts& facts, const AcceleratorQuery& query) {
  CompiledQuestion asked;
  asked.phase = query.phase;
  asked.precision = query.precision;
  asked.framework = query.framework;
  asked.adapters = query.tuning.adapters.any();
  asked.eight_bit = query.tuning.state.optimizer == OptimizerChoice::adamw_8bit;
  asked.shared = query.gpus_per_copy() > 1 || query.expert_parallel > 1;
  asked.sharded = has_backward(query.phase) && query.exchange == Exchange::sharded;
  asked.chips = query.gpus_per_node;
  asked.nodes = query.nodes;
  asked.writes = can_generate(facts.network);
  return asked;
}

}  // namespace

std::string why_unsupported(const NetworkFacts& facts, const AcceleratorQuery& query) {
  const bool shards = has_backward(query.phase) && query.exchange == Exchange::sharded;
  if (shards && (query.parameter_server || query.compression != Compression::none)) {
    return "sharded training gathers and sums by itself: no parameter server and no compression "
           "goes with it";
  }
  if (facts.table_elements > 0 && query.tuning.state.optimizer != OptimizerChoice::own) {
    return fmt::format(
        "{} updates the rows of its tables that a batch looked up, by SGD or Adagrad: another "
        "optimizer, whose moments all rows have, is not modelled; leave it out",
        facts.network.name);
  }
  if (shards && facts.table_elements > 0) {
    return fmt::format(
        "{} has tables that GPUs divide among themselves as it is, and little beside: leave the "
        "exchange sharded out",
        facts.network.name);
  }
  if (const auto misfit = network_misfit(facts.network, query)) {
    return fmt::format("{}: expected {}", misfit->key, misfit->expected);
  }
  if (query.framework == ctranslate2 &&
      (!takes_given(facts.network) || is_denoiser(facts.network))) {
    return fmt::format(
        "{} is known of what reads and writes (Whisper, T5, BART), which {} "
        "does not: name another framework",
        ctranslate2,
        facts.network.name);
  }
  auto reason = why_not_by_engine(query);
  reason = reason.empty() ? why_no_update(query) : reason;
  reason = reason.empty() ? why_not_shared(facts, query) : reason;
  return reason.empty() ? why_experts_not_divided(facts, query) : reason;
}

std::string why_unsupported_by(const GpuSpec& gpu,
                               const NetworkFacts& facts,
                               const AcceleratorQuery& query) {
  if (auto reason = why_not_compiled(gpu, facts.network, compiled_question(facts, query));
      !reason.empty()) {
    return reason;
  }
  if (query.interconnect.link && toolchain_of(gpu) == Toolchain::xla) {
    return fmt::format(
        "the chips of a slice of {} are joined by {}, and by nothing else: leave the "
        "link out",
        gpu.name,
        compiler_words(Toolchain::xla).link);
  }
  if (query.interconnect.link && has_no(*query.interconnect.link, gpu)) {
    return fmt::format("{} has no {}; leave the link out, or say pcie",
                       gpu.name,
                       to_string(*query.interconnect.link));
  }
  const auto writer = decode_software(query.framework).value_or("");
  const bool by_cuda = query.phase == Phase::decode ? serves_by_cuda_alone(writer)
                                                    : runs_by_cuda_alone(query.framework);
  if (is_instinct(gpu) && by_cuda) {
    return fmt::format("{} does not run on AMD's GPUs: name another framework", query.framework);
  }
  // With FP32 masters the kernels' 16 bits are a copy, of either kind; without them they are all
  // there is, and an update that fp16 has no room for is lost.
  const bool narrow_alone = has_backward(query.phase) && !query.tuning.state.masters;
  if (narrow_alone && keeps_bf16(query.precision) &&
      available_precision(gpu, Precision::bf16) != Precision::bf16) {
    return fmt::format(
        "{} has no bf16, and without master weights fp16 is no stand-in for it: ask for "
        "master_weights fp32",
        gpu.name);
  }
  return "";
}

}  // namespace rightsize
