#include "advisor/candidate/plain_programs.h"

#include <fmt/format.h>

#include "advisor/candidate/network_facts.h"

namespace rightsize {

std::string slower_plain_programs(const Network& network, const NetworkStep& step) {
  const bool plain = step.framework.empty() || step.framework == "PyTorch";
  return has_backward(step.phase) && plain && can_generate(network)
             ? fmt::format(
                   "the rate is of programs that pack sequences and fuse attention (torchtitan, "
                   "MosaicML, NVIDIA's and their like): plain scripts of Hugging Face's libraries "
                   "(transformers, TRL) were published {:g} to {:g} times slower",
                   least_plain_times,
                   most_plain_times)
             : "";
}

}  // namespace rightsize
