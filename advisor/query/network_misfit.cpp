#include "advisor/query/network_misfit.h"

#include <fmt/format.h>

#include "advisor/candidate/network_facts.h"
#include "kernels/network_blocks.h"
#include "kernels/networks/diffusion/diffusion.h"
#include "kernels/work.h"

namespace rightsize {

std::optional<Misfit> network_misfit(const Network& network, const NetworkStep& step) {
  if (step.precision == Precision::fp8 && !can_generate(network) && !is_denoiser(network)) {
    return Misfit{
        "precision",
        fmt::format("bf16; fp8 is of the linear layers of language models that write, and of "
                    "models that make pictures, which {} is not",
                    network.name)};
  }
  if (!has_backward(step.phase)) {
    return std::nullopt;
  }
  const bool transformer = is_transformer(network);
  if (step.gpus_per_copy() > 1 && (!transformer || takes_given(network))) {
    return Misfit{step.tensor_parallel > 1     ? "tensor_parallel"
                  : step.pipeline_parallel > 1 ? "pipeline_parallel"
                                               : "context_parallel",
                  fmt::format("1, or leave it out; {} is no {}, whose layers GPUs could share",
                              network.name,
                              transformer ? "language model" : "transformer")};
  }
  if (step.expert_parallel > 1 && !has_experts(network)) {
    return Misfit{"expert_parallel",
                  fmt::format("1, or leave it out; {} is no mixture of experts", network.name)};
  }
  if (step.expert_tensor_parallel > 0 && !has_experts(network)) {
    return Misfit{"expert_tensor_parallel",
                  fmt::format("none; {} is no mixture of experts", network.name)};
  }
  return std::nullopt;
}

}  // namespace rightsize
