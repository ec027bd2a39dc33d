// A machine beside the one explained, and a fleet of one machine fewer or more, in sentences.
#pragma once

#include <string>

#include "advisor/explain/explanation.h"

namespace rightsize::report {

[[nodiscard]] std::string neighbour_sentence(const Neighbour& row);

// Of a service: `now` is the option explained.
[[nodiscard]] std::string step_sentence(const FleetStep& step, const Option& now);

}  // namespace rightsize::report
