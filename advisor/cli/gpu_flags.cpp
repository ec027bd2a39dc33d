// What is said of a GPU where a machine has none.
#include <array>

#include <fmt/format.h>

#include "advisor/cli/asked.h"
#include "advisor/cli/flag_word.h"

namespace rightsize::cli {

namespace {

constexpr std::array gpu_flags{"framework",
                               "stack",
                               "exchange",
                               "recompute",
                               "adapter",
                               "optimizer",
                               "master-weights",
                               "accumulate",
                               "measured",
                               "tensor-parallel",
                               "pipeline-parallel",
                               "expert-parallel",
                               "context-parallel",
                               "virtual-pipeline",
                               "global-batch",
                               "preprocess-on",
                               "expert-tensor-parallel",
                               "precision",
                               "sequence",
                               "prompt-tokens",
                               "output-tokens",
                               "weights",
                               "caches",
                               "compression"};

}  // namespace

void refuse_gpu_words(const Values& values) {
  for (const auto* flag : gpu_flags) {
    if (given(values, flag)) {
      throw UsageError(fmt::format(
          "--{} says how a GPU works{}; leave it out, or name the GPU: --machine gpu=V100",
          flag,
          values["gpu-rate"].as<double>() > 0 ? ", and --gpu-rate how fast one is" : ""));
    }
  }
}

}  // namespace rightsize::cli
