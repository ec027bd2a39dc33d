#include "advisor/training_assumptions.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/query/tuning_words.h"

namespace rightsize {
namespace {

// What is kept of every parameter, and how often it is updated, where that was asked for.
void assume_of_update(Recommendation& answer) {
  const auto& [adapters, state] = answer.query.tuning;
  if (!state.usual()) {
    const bool factored = state.optimizer == OptimizerChoice::adafactor;
    answer.assumptions.push_back(
        fmt::format("{}: {}{}",
                    state_words(state),
                    !state.masters ? "parameters, gradients and moments in 16 bits alone"
                    : bytes_per_element(answer.query.precision) == 2
                        ? "parameters and gradients in FP32, with a copy in 16 bits for the kernels"
                        : "parameters and gradients in FP32",
                    state.optimizer == OptimizerChoice::adamw_8bit ? ", both moments in 8 bits"
                    : factored ? ", the second moment as factors, whose memory is not counted"
                               : ""));
  }
  if (answer.query.global_batch > 0) {
    answer.assumptions.push_back(fmt::format(
        "global_batch: an update takes {} items of all GPUs together, or what comes nearest where "
        "they have as many each (a tenth off at most, else a machine is left out); more than go "
        "through at once are accumulated",
        answer.query.global_batch));
  }
  if (answer.query.accumulate > 1) {
    answer.assumptions.push_back(
        fmt::format("accumulate: {} minibatches of batch_per_gpu go through before an update, each "
                    "as long as the first; whole copies average gradients once an update, GPUs "
                    "that share parameters gather and sum in every minibatch",
                    answer.query.accumulate));
  }
}

// How GPUs divide a mixture's experts.
void assume_of_experts(Recommendation& answer) {
  const auto& query = answer.query;
  const bool folds = query.gpus_per_expert() != query.tensor_parallel;
  if (query.expert_parallel > 1) {
    answer.assumptions.push_back(
        fmt::format("expert_parallel: {} {} divide the experts of every layer, which tokens take "
                    "evenly; they go there and back in the width the network computes in, not "
                    "hidden behind other work{}",
                    query.expert_parallel,
                    folds ? "of a stage" : "copies",
                    query.exchange || query.gpus_per_copy() > 1
                        ? ""
                        : "; all other parameters are gathered (FSDP) or each GPU's own (Megatron, "
                          "ZeRO stage 1), whichever is faster and fits"));
  }
  if (folds) {
    answer.assumptions.push_back(fmt::format(
        "expert_tensor_parallel: {} of the {} GPUs that share every other layer share an expert, "
        "each sends the tokens it has, and what goes through experts alone is not summed up by "
        "the others (Megatron's parallel folding)",
        query.gpus_per_expert(),
        query.tensor_parallel));
  }
}

// How GPUs share a copy of a network that is trained.
std::vector<std::string> sharing_of(const Query& query) {
  std::vector<std::string> ways;
  if (query.tensor_parallel > 1) {
    ways.push_back(
        fmt::format("{} GPUs share every layer (sequence parallelism, their sums not hidden)",
                    query.tensor_parallel));
  }
  if (query.context_parallel > 1) {
    ways.push_back(
        fmt::format("{} GPUs share every sequence (keys and values gathered, not hidden)",
                    query.context_parallel));
  }
  if (query.pipeline_parallel > 1) {
    ways.push_back(
        fmt::format("{} stages share the layers (1F1B, {})",
                    query.pipeline_parallel,
                    query.virtual_pipeline == 1 ? "not interleaved"
                    : query.virtual_pipeline > 1
                        ? fmt::format("interleaved in {} parts each", query.virtual_pipeline)
                        : "interleaved where micro-batches are a multiple of the stages"));
  }
  return ways;
}

}  // namespace

void add_training_assumptions(Recommendation& answer) {
  const auto any = [&](bool Option::*way) {
    return std::any_of(
        answer.options.begin(), answer.options.end(), [&](const Option& o) { return o.*way; });
  };
  if (any(&Option::sharded)) {
    answer.assumptions.push_back(
        "sharded: the GPUs divide parameters, gradients and optimizer among themselves, gather "
        "each block's weights for the forward and the backward pass and sum up its gradients, in "
        "the width the network computes in, while other blocks compute");
  }
  if (any(&Option::recompute)) {
    answer.assumptions.push_back(
        "recompute: each transformer block keeps its input alone and is run again in the backward "
        "pass");
  }
  assume_of_experts(answer);
  if (has_backward(answer.query.phase) && answer.query.gpus_per_copy() > 1) {
    answer.assumptions.push_back(
        fmt::format("{}, in micro-batches of 1 to 8 items, the fastest that fits; copies divide "
                    "the optimizer's state and the masters (ZeRO stage 1, Megatron's distributed "
                    "optimizer)",
                    fmt::join(sharing_of(answer.query), " and ")));
  }
  if (answer.query.tuning.adapters.any()) {
    answer.assumptions.push_back(fmt::format(
        "adapter {}: the network's own parameters are frozen in {}, without gradients or "
        "optimizer, and the adapters trained beside them, unfused as PEFT runs them",
        to_string(answer.query.tuning.adapters),
        answer.query.tuning.adapters.narrow ? "4 bits and widened for every product" : "16 bits"));
  }
  assume_of_update(answer);
}

}  // namespace rightsize
