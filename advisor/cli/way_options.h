// How a job is to be done, apart from what for and where: its minibatch, the machines and GPUs it
// is spread over, and the software that runs it.
#pragma once

#include <string>

#include "advisor/cli/command.h"
#include "advisor/query.h"
#include "advisor/software_words.h"

namespace rightsize::cli {

// --batch, --nodes-max, --net, --exchange, --recompute, --stack, --framework, --preprocess-on and
// those of large models.
void add_way_options(Options& options);

// Where they are given, on top of the job file. Throws UsageError naming the flag.
void read_way_options(const Values& values, Query& query);

// --framework as typed; its framework is never empty. Throws UsageError with those there are.
[[nodiscard]] Software framework_option(const std::string& text);

}  // namespace rightsize::cli
