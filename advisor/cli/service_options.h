// The load of a service and how soon it answers: flags that make a service of a job, or change the
// one that it is.
#pragma once

#include <string>
#include <vector>

#include "advisor/cli/command.h"
#include "advisor/query.h"

namespace rightsize::cli {

// --qps, --slo, --ttft, --tpot and --max-delay.
void add_service_options(Options& options);

// Where they are given, on top of the job file. Throws UsageError naming the flag.
void read_service_options(const Values& values, Query& query);

// Hints name limits by --slo; those that were given by --ttft and --tpot are named so, for the two
// forms do not go together.
void name_limits_as_given(const Values& values, std::vector<std::string>& hints);

}  // namespace rightsize::cli
