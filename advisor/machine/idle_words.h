// What a question asks for that its machine or its phase has no use for: said, since who asks for
// it counts on it.
#pragma once

#include <string>
#include <vector>

#include "advisor/machine/configuration.h"
#include "kernels/network.h"

namespace rightsize {

// Why a machine without GPUs cannot do it; "" where it can.
[[nodiscard]] std::string why_not_on_cpus(const Configuration& asked);

// A sentence for each thing that changes nothing in the answer.
[[nodiscard]] std::vector<std::string> idle_words(const Configuration& asked,
                                                  const Network& network);

}  // namespace rightsize
