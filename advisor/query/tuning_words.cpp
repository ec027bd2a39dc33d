#include "advisor/query/tuning_words.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/networks/diffusion/diffusion.h"
#include "models/laws/spelling.h"

namespace rightsize {
namespace {

struct OptimizerName {
  std::string_view name;  // as bare() leaves it
  OptimizerChoice optimizer;
};

// Ours first; then as PyTorch, Transformers, bitsandbytes and torchtune call them.
constexpr std::array<OptimizerName, 17> optimizer_names{
    {{"adamw", OptimizerChoice::adamw},
     {"adamw8bit", OptimizerChoice::adamw_8bit},
     {"adafactor", OptimizerChoice::adafactor},
     {"sgd", OptimizerChoice::sgd},
     {"adam", OptimizerChoice::adamw},
     {"adamwtorch", OptimizerChoice::adamw},
     {"adamwtorchfused", OptimizerChoice::adamw},
     {"adamwhf", OptimizerChoice::adamw},
     {"adam8bit", OptimizerChoice::adamw_8bit},
     {"adamwbnb8bit", OptimizerChoice::adamw_8bit},
     {"pagedadamw8bit", OptimizerChoice::adamw_8bit},
     {"adamwtorch8bit", OptimizerChoice::adamw_8bit},
     {"pagedadam8bit", OptimizerChoice::adamw_8bit},
     {"pagedadamw", OptimizerChoice::adamw},
     {"pagedadamw32bit", OptimizerChoice::adamw},
     {"adamwapexfused", OptimizerChoice::adamw},
     {"fusedadam", OptimizerChoice::adamw}}};

}  // namespace

std::optional<OptimizerChoice> parse_optimizer(std::string_view text) {
  const auto word = bare(text.substr(text.rfind('.') + 1));  // torch.optim.AdamW
  const auto* const known =
      std::find_if(optimizer_names.begin(), optimizer_names.end(), [&](const OptimizerName& one) {
        return one.name == word;
      });
  return known == optimizer_names.end() ? std::nullopt : std::optional(known->optimizer);
}

std::string_view to_string(OptimizerChoice optimizer) {
  switch (optimizer) {
    case OptimizerChoice::own:
      return "";
    case OptimizerChoice::sgd:
      return "sgd";
    case OptimizerChoice::adamw:
      return "adamw";
    case OptimizerChoice::adamw_8bit:
      return "adamw-8bit";
    case OptimizerChoice::adafactor:
      return "adafactor";
  }
  return "";
}

std::optional<bool> parse_master_weights(std::string_view text) {
  return text == "fp32"                      ? std::optional(true)
         : text == "none" || text == "false" ? std::optional(false)
         : text == "true"                    ? std::optional(true)
                                             : std::nullopt;
}

namespace {

// What keeps products from being in 8 bits.
std::optional<Misfit> fp8_misfit(const NetworkStep& step) {
  const bool picture = step.phase == Phase::infer && is_diffusion(step.network);
  if (!in_training_mode(step.phase) && !picture) {
    return Misfit{
        "precision",
        step.phase == Phase::decode
            ? "bf16; products in 8 bits are those of weights = \"fp8\" in a job file, or --weights "
              "fp8"
            : "fp32, tf32, fp16 or bf16: fp8 is of training, and of models that make "
              "pictures"};
  }
  if (picture && step.network.find(":weights=") != std::string::npos) {
    return Misfit{"precision",
                  "bf16 where the network says weights=, which are widened to 16 bits for their "
                  "products; products in 8 bits have their matrices in 8 bits by themselves"};
  }
  if (step.tuning.adapters.narrow) {
    return Misfit{"precision",
                  "bf16 with qlora, whose base is widened to 16 bits for its products"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Misfit> tuning_misfit(const NetworkStep& step) {
  const auto& [adapters, state] = step.tuning;
  const char* asked = adapters.any()                            ? "adapter"
                      : state.optimizer != OptimizerChoice::own ? "optimizer"
                      : !state.masters                          ? "master_weights"
                      : step.accumulate > 1                     ? "accumulate"
                      : step.global_batch > 0                   ? "global_batch"
                                                                : nullptr;
  if (asked != nullptr && step.phase != Phase::train) {
    return Misfit{asked, "phase train, of which alone it is said"};
  }
  if (step.precision == Precision::fp8) {
    if (auto misfit = fp8_misfit(step)) {
      return misfit;
    }
  }
  if (!state.masters && !keeps_bf16(step.precision)) {
    return Misfit{"master_weights",
                  fmt::format("fp32, or precision bf16 in place of {}: without masters parameters "
                              "have the 16 bits of the kernels alone, and fp16 has no room for "
                              "small updates",
                              to_string(step.precision))};
  }
  if (step.accumulate > 1 && step.global_batch > 0) {
    return Misfit{"accumulate", "1 with global_batch, by which it is worked out for each machine"};
  }
  if (step.accumulate > 1 && step.gpus_per_copy() > 1) {
    return Misfit{"accumulate",
                  "1 with tensor_parallel, pipeline_parallel or context_parallel, where the batch "
                  "is each GPU's part "
                  "of a whole update and micro-batches that divide it are tried"};
  }
  return std::nullopt;
}

std::optional<Misfit> sharing_misfit(const NetworkStep& step) {
  if (step.exchange && !has_backward(step.phase)) {
    return Misfit{"exchange", "phase train, whose gradients are exchanged"};
  }
  if (step.recompute.value_or(false) && !has_backward(step.phase)) {
    return Misfit{"recompute", "phase train, whose backward pass runs blocks again"};
  }
  if (step.pipeline_parallel > 1 && step.phase != Phase::train) {
    return Misfit{"pipeline_parallel", "phase train, of which alone it is said"};
  }
  if (step.tensor_parallel > 1 && step.phase != Phase::train && step.phase != Phase::decode) {
    return Misfit{"tensor_parallel", "phase train, or decode, where GPUs share a network"};
  }
  if (step.expert_parallel > 1 && step.phase != Phase::train) {
    return Misfit{"expert_parallel", "phase train, of which alone it is said"};
  }
  if (step.expert_tensor_parallel > 0 && step.phase != Phase::train) {
    return Misfit{"expert_tensor_parallel", "phase train, of which alone it is said"};
  }
  if (step.tensor_parallel % step.gpus_per_expert() != 0) {
    return Misfit{"expert_tensor_parallel",
                  fmt::format("a number that divides the {} of tensor_parallel, as 1 does",
                              step.tensor_parallel)};
  }
  if (step.context_parallel > 1 && step.phase != Phase::train) {
    return Misfit{"context_parallel", "phase train, of which alone it is said"};
  }
  if (step.virtual_pipeline > 1 && step.pipeline_parallel == 1) {
    return Misfit{"virtual_pipeline", "1, or pipeline_parallel above 1, whose stages have parts"};
  }
  return std::nullopt;
}

std::string state_words(const TrainingState& state) {
  std::vector<std::string> words;
  if (state.optimizer != OptimizerChoice::own) {
    words.emplace_back(to_string(state.optimizer));
  }
  if (!state.masters) {
    words.emplace_back("no master weights");
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string tuning_words(const NetworkStep& step) {
  std::vector<std::string> words;
  if (step.tuning.adapters.any()) {
    words.push_back(to_string(step.tuning.adapters));
  }
  if (!step.tuning.state.usual()) {
    words.push_back(state_words(step.tuning.state));
  }
  if (step.accumulate > 1) {
    words.push_back(fmt::format("{} minibatches an update", step.accumulate));
  }
  if (step.global_batch > 0) {
    words.push_back(fmt::format("{} items an update", step.global_batch));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace rightsize
