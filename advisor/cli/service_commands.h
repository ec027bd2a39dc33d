// predict and size for a job file with [service]: what a machine answers in time, and how many of
// them the load takes.
#pragma once

#include "advisor/cli/command.h"
#include "advisor/machine/configuration.h"

namespace rightsize::cli {

// Both require `asked.service`.
int predict_service(Context& context, const Values& values, const Configuration& asked);
int size_service(Context& context, const Values& values, const Configuration& asked);

}  // namespace rightsize::cli
