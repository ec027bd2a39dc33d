// Several job files as one plan, for the commands that answer it.
#pragma once

#include <string>
#include <vector>

#include "advisor/cli/command.h"
#include "advisor/fleet/fleet.h"

namespace rightsize::cli {

// What the flags change for none of the jobs is told on stderr, and what holds for each by itself.
// Throws UsageError for flags that are of one job, and as plan_fleet() does.
[[nodiscard]] Fleet planned(Context& context,
                            const Values& values,
                            const std::vector<std::string>& files);

}  // namespace rightsize::cli
