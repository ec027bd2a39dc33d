// `simulate --serve`: requests to a fleet instead of a data path.
#pragma once

#include "advisor/cli/command.h"

namespace rightsize::cli {

// --serve, --qps, --arrivals and what belongs to them.
void add_serving_options(Options& options);

// Whether requests are asked for: by --serve, or by a job file with [service].
[[nodiscard]] bool asks_serving(const Values& values);

int run_simulate_serving(Context& context, const Values& values);

}  // namespace rightsize::cli
