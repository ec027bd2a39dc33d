#include "advisor/cli/large_model_options.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "advisor/query/query.h"

namespace rightsize::cli {
namespace po = boost::program_options;

void refuse_misfit(const Misfit& misfit) {
  std::string flag = misfit.key;
  std::replace(flag.begin(), flag.end(), '_', '-');
  throw UsageError(fmt::format("--{}: expected {}", flag, misfit.expected));
}

void add_large_model_options(Options& options) {
  options.add_options()("adapter",
                        po::value<std::string>(),
                        "fine-tune low-rank adapters alone: lora:16, qlora:16 (base in 4 bits), "
                        "lora:8:q_proj+v_proj; none: all parameters")(
      "optimizer",
      po::value<std::string>(),
      "adamw, adamw-8bit, adafactor or sgd; default: the network's own")(
      "master-weights",
      po::value<std::string>(),
      "fp32, beside the 16 bits that kernels read, or none: parameters, gradients and moments in "
      "16 bits alone (pure BF16); default: fp32")(
      "accumulate",
      po::value<int>(),
      "minibatches that go through before the parameters are updated (gradient accumulation); "
      "default: 1")(
      "tensor-parallel",
      po::value<int>(),
      "GPUs of a machine that share every layer (Megatron's, with sequence parallelism; in decode "
      "a copy of the network, by default as few as hold the batch); default of training: 1")(
      "pipeline-parallel", po::value<int>(), "stages that share the layers (1F1B); default: 1")(
      "virtual-pipeline",
      po::value<int>(),
      "parts of the layers that each stage has, interleaved with other stages' (Megatron's virtual "
      "pipeline); default: the fastest, 1 where micro-batches are no multiple of the stages")(
      "context-parallel",
      po::value<int>(),
      "GPUs that share every sequence, each a part of its positions; default: 1")(
      "expert-parallel",
      po::value<int>(),
      "copies (GPUs, where none share layers) that divide a mixture's experts; default: 1")(
      "expert-tensor-parallel",
      po::value<int>(),
      "GPUs of tensor-parallel that share each expert (Megatron's parallel folding): with 1 each "
      "has whole ones, and a stage's GPUs divide them; default: tensor-parallel's");
}

void read_model_parallel(const Values& values,
                         NetworkStep& step,
                         std::optional<TokenService>& service) {
  const auto read = [&](const char* flag, int& gpus) {
    if (values.count(flag) > 0) {
      gpus = values[flag].as<int>();
      if (gpus < 1 || gpus > most_nodes_together) {
        throw UsageError(
            fmt::format("--{}: expected GPUs from 1 to {}", flag, most_nodes_together));
      }
    }
  };
  auto& tensor = step.tensor_parallel;
  auto& pipeline = step.pipeline_parallel;
  read("tensor-parallel", tensor);
  step.tensor_parallel_said |= values.count("tensor-parallel") > 0;
  read("pipeline-parallel", pipeline);
  read("expert-parallel", step.expert_parallel);
  read("expert-tensor-parallel", step.expert_tensor_parallel);
  read("context-parallel", step.context_parallel);
  if (values.count("virtual-pipeline") > 0) {
    step.virtual_pipeline = values["virtual-pipeline"].as<int>();
    if (step.virtual_pipeline < 1 || step.virtual_pipeline > most_chunks) {
      throw UsageError(fmt::format("--virtual-pipeline: expected {}", virtual_pipeline_grammar));
    }
  }
  if (const auto misfit = sharing_misfit(step)) {
    refuse_misfit(*misfit);
  }
  if (service && values.count("tensor-parallel") > 0) {
    service->per_replica = std::exchange(tensor, 1);
  }
}

void read_tuning(const Values& values, NetworkStep& step) {
  const auto read = [&](const char* flag, const auto& parse, std::string_view expected, auto& to) {
    if (values.count(flag) > 0) {
      const auto& text = values[flag].as<std::string>();
      const auto parsed = parse(text);
      if (!parsed) {
        throw UsageError(fmt::format("--{} {}: expected {}", flag, text, expected));
      }
      to = *parsed;
    }
  };
  read("adapter", parse_adapters, adapter_grammar, step.tuning.adapters);
  read("optimizer", parse_optimizer, optimizer_grammar, step.tuning.state.optimizer);
  read("master-weights", parse_master_weights, master_weights_grammar, step.tuning.state.masters);
  if (values.count("accumulate") > 0) {
    step.accumulate = values["accumulate"].as<int>();
    if (step.accumulate < 1 || step.accumulate > most_accumulated) {
      throw UsageError(fmt::format("--accumulate: expected minibatches before an update, 1 to {}",
                                   most_accumulated));
    }
  }
  if (const auto misfit = tuning_misfit(step)) {
    refuse_misfit(*misfit);
  }
}

}  // namespace rightsize::cli
