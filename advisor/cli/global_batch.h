// --global-batch: the items that all GPUs together take in an update.
#pragma once

#include "advisor/cli/command.h"
#include "advisor/machine/configuration.h"

namespace rightsize::cli {

// Where it is given, what a GPU of `asked`.machine, or a copy that several share, has of it; beside
// --batch, how many of those are accumulated. Throws UsageError where they cannot have as much
// each, and of work without updates.
void read_global_batch(const Values& values, Configuration& asked);

}  // namespace rightsize::cli
