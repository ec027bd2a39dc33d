// How a job is to be done, apart from what for and where: its minibatch, the machines and GPUs it
// is spread over, and the software that runs it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/cli/command.h"
#include "advisor/query/query.h"

namespace rightsize::cli {

// --batch, --nodes-max, --net, --exchange, --recompute, --stack, --framework, --preprocess-on,
// --loader, those of large models and those of what writes.
void add_way_options(Options& options);

// Where they are given, on top of the job file. Throws UsageError naming the flag.
void read_way_options(const Values& values, Query& query);

// --framework where it is given: of work that writes tokens the software that does, which [service]
// has a field for; of other work the framework, and its years where none are said. Throws
// UsageError with those there are.
void read_framework(const Values& values,
                    Phase phase,
                    std::optional<TokenService>& tokens,
                    std::string& framework,
                    std::optional<Stack>& stack);

// --measured, instead of what the job file has. Throws UsageError.
void add_measured_option(Options& options);
void read_measured(const Values& values, std::vector<OwnRate>& measured);

}  // namespace rightsize::cli
