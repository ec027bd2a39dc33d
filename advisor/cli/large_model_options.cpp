#include "advisor/cli/large_model_options.h"

#include <fmt/format.h>

#include "advisor/query/query.h"

namespace rightsize::cli {
namespace po = boost::program_options;

void add_large_model_options(Options& options) {
  options.add_options()("adapter",
                        po::value<std::string>(),
                        "fine-tune low-rank adapters alone: lora:16, qlora:16 (base in 4 bits), "
                        "lora:8:q_proj+v_proj")(
      "tensor-parallel",
      po::value<int>(),
      "GPUs of a machine that share every layer (Megatron's, with sequence parallelism; in decode "
      "a copy of the network, by default as few as hold it); default: 1")(
      "pipeline-parallel", po::value<int>(), "stages that share the layers (1F1B); default: 1");
}

void read_model_parallel(const Values& values, Phase phase, int& tensor, int& pipeline) {
  const auto read = [&](const char* flag, int& gpus) {
    if (values.count(flag) > 0) {
      gpus = values[flag].as<int>();
      if (gpus < 1 || gpus > most_nodes_together) {
        throw UsageError(
            fmt::format("--{}: expected GPUs from 1 to {}", flag, most_nodes_together));
      }
    }
  };
  read("tensor-parallel", tensor);
  read("pipeline-parallel", pipeline);
  const bool writes = phase == Phase::decode && pipeline == 1;
  if ((tensor > 1 || pipeline > 1) && phase != Phase::train && !writes) {
    throw UsageError(fmt::format(
        "--{}: layers are shared in training, and by tensor-parallel in decode; expected phase "
        "train ([service] of a language model has gpus_per_replica)",
        tensor > 1 ? "tensor-parallel" : "pipeline-parallel"));
  }
}

void read_adapters(const Values& values, Phase phase, Adapters& adapters) {
  if (values.count("adapter") > 0) {
    const auto& text = values["adapter"].as<std::string>();
    const auto parsed = parse_adapters(text);
    if (!parsed) {
      throw UsageError(fmt::format("--adapter {}: expected {}", text, adapter_grammar));
    }
    adapters = *parsed;
  }
  if (adapters.any() && phase != Phase::train) {
    throw UsageError("--adapter: adapters are what is trained; expected phase train");
  }
}

}  // namespace rightsize::cli
