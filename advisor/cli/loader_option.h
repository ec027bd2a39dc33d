// --loader: the user's own program that loads a job's items, by the name it was profiled under.
#pragma once

#include "advisor/cli/command.h"
#include "advisor/machine/configuration.h"
#include "advisor/query/query.h"

namespace rightsize::cli {

void add_loader_option(Options& options);

// Where it is given, instead of what the job file has. Throws UsageError for work that loads
// nothing, or whose pictures the GPU is to prepare. That the model knows the program is seen to
// where it is read (own_loader.h).
void read_loader(const Values& values, Query& query);
void read_loader(const Values& values, Configuration& asked);

}  // namespace rightsize::cli
