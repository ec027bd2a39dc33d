// What the machine around a run did meanwhile, and whether the run can be believed all the same.
#pragma once

#include <string>

#include "profiler/measure/assemble.h"

namespace rightsize {

// Steal, neighbours, pressure (of the run alone where the kernel can tell, else of the machine),
// the speed of a core; notes on what is out of the ordinary.
void fill_conditions(const Surroundings& seen, Record& record);

// A reason not to believe numbers that exist; empty when there is none.
[[nodiscard]] std::string doubt_about_conditions(const Surroundings& seen, const Record& record);

}  // namespace rightsize
