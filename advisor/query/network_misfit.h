// What is asked of a network that is not of its kind, whatever the machine: products in 8 bits of
// one that has no such layers, a division of layers or experts that it has not. One rule for job
// files, flags and tables of machines.
#pragma once

#include <optional>

#include "advisor/query/tuning_words.h"
#include "kernels/network.h"

namespace rightsize {

// nullopt where nothing speaks against the step.
[[nodiscard]] std::optional<Misfit> network_misfit(const Network& network, const NetworkStep& step);

}  // namespace rightsize
