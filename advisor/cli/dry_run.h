// What a campaign would do, without doing any of it.
#pragma once

#include <string>
#include <vector>

#include "advisor/cli/command.h"
#include "profiler/campaign/plan.h"

namespace rightsize::cli {

// The runs to be made, one a line (or schema "rightsize/plan/1" with -o json), and what they take
// at most: time, and space on the disk. Warns on err where the data's disk is too full for it.
int dry_run(Context& context,
            const std::string& format,
            const Plan& plan,
            const std::vector<RunSpec>& pending);

}  // namespace rightsize::cli
