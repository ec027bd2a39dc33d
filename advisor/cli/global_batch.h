// --batch, the items that a GPU takes at once, and --global-batch, those that all GPUs together
// take in an update.
#pragma once

#include "advisor/cli/command.h"
#include "advisor/machine/configuration.h"

namespace rightsize::cli {

// --batch, which is given. Throws UsageError where it is none, and of a service of tokens.
void read_batch(const Values& values, Configuration& asked);

// Where --global-batch is given, what a GPU of `asked`.machine, or a copy that several share, has
// of it; beside --batch, how many of those are accumulated. Throws UsageError where they cannot
// have as much each, and of work without updates.
void read_global_batch(const Values& values, Configuration& asked);

}  // namespace rightsize::cli
