// What profile and campaign share: run a plan into the store with one live line, then the table.
#pragma once

#include "advisor/cli/command.h"
#include "profiler/campaign/plan.h"

namespace rightsize::cli {

void add_measuring_options(Options& options);

// Returns the exit code: 130 interrupted, 4 with --strict and something untrusted, 1 when no run
// gave a throughput.
int measure(Context& context, const Values& values, const Plan& plan);

}  // namespace rightsize::cli
