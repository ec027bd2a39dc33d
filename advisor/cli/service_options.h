// The load of a service and how soon it answers: flags that make a service of a job, or change the
// one that it is.
#pragma once

#include "advisor/cli/command.h"
#include "advisor/query/query.h"

namespace rightsize::cli {

// --qps, --slo, --ttft, --tpot and --max-delay.
void add_service_options(Options& options);

// Where they are given, on top of the job file. Throws UsageError naming the flag.
void read_service_options(const Values& values, Query& query);

}  // namespace rightsize::cli
