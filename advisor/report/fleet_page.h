// A plan of several jobs as one page.
#pragma once

#include <string>

#include "advisor/fleet/fleet.h"

namespace rightsize::report {

// `command` is what made it.
[[nodiscard]] std::string fleet_html(const Fleet& fleet, const std::string& command);

}  // namespace rightsize::report
