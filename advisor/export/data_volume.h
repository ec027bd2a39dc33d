// The volume of a Pod that its data, or the weights that it fetches, lie on.
#pragma once

#include <string>

#include "advisor/recommendation.h"

namespace rightsize {

// An entry of the Pod's volumes, "data", indented by four: a priced volume is claimed for the life
// of the Pod, the machine's own disk is an emptyDir.
[[nodiscard]] std::string data_volume(const Recommendation& answer, const Option& option);

}  // namespace rightsize
