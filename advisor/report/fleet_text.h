// A Fleet rendered: what every job should rent, the sum, and one machine for all.
#pragma once

#include <string>

#include "advisor/fleet.h"
#include "advisor/report/style.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// For people; and for programs, with the columns of one job's options, empty where no machine
// satisfies.
[[nodiscard]] Table fleet_table(const Fleet& fleet);
[[nodiscard]] Table fleet_data(const Fleet& fleet);
// A line for each job's machine, "aws/g6e.xlarge"; none where no machine satisfies.
[[nodiscard]] std::string fleet_names(const Fleet& fleet);
[[nodiscard]] std::string fleet_text(const Fleet& fleet, const Style& style);
[[nodiscard]] std::string fleet_markdown(const Fleet& fleet);

}  // namespace rightsize::report
