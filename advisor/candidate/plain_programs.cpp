#include "advisor/candidate/plain_programs.h"

#include <algorithm>

#include "models/laws/framework_habits.h"

namespace rightsize {
namespace {

bool is_language_model(const Network& network) {
  return network.reads_tokens() &&
         std::any_of(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
           return layer.kind == LayerKind::attention && layer.causal;
         });
}

}  // namespace

std::string slower_plain_programs(const Network& network, const NetworkStep& step) {
  const bool plain =
      step.framework.empty() || (step.framework == "PyTorch" && !is_program(step.framework));
  return has_backward(step.phase) && plain && is_language_model(network)
             ? "the rate is of programs that pack sequences and fuse attention (torchtitan, "
               "MosaicML, NVIDIA's and their like): plain scripts of Hugging Face's libraries were "
               "published 1.4 to 3 times slower"
             : "";
}

}  // namespace rightsize
