// `simulate --spot`: a job of known length on machines that may be taken away.
#pragma once

#include "advisor/cli/command.h"

namespace rightsize::cli {

// --spot, --hours and what belongs to them.
void add_spot_options(Options& options);

int run_simulate_spot(Context& context, const Values& values);

}  // namespace rightsize::cli
