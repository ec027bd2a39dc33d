// Which nodes of a Kubernetes cluster a Pod lies on: those of the option's type, region and market,
// whose taints it bears. Lines of a Pod's spec, indented by two.
#pragma once

#include <string>

#include "advisor/recommendation.h"

namespace rightsize {

[[nodiscard]] std::string node_selector(const Option& option);

// "" where nodes have none.
[[nodiscard]] std::string tolerations(const Option& option);

}  // namespace rightsize
