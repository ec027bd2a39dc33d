// A Fleet rendered: what every job should rent, the sum, and one machine for all.
#pragma once

#include <string>

#include "advisor/fleet.h"
#include "advisor/report/style.h"
#include "advisor/report/table.h"

namespace rightsize::report {

[[nodiscard]] Table fleet_table(const Fleet& fleet);
[[nodiscard]] std::string fleet_text(const Fleet& fleet, const Style& style);
[[nodiscard]] std::string fleet_markdown(const Fleet& fleet);

}  // namespace rightsize::report
