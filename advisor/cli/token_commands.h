// predict, size and simulate for a job file with phase = "decode" and [service]: what a machine
// writes in time, and how many of them the load takes.
#pragma once

#include "advisor/cli/command.h"
#include "advisor/machine/configuration.h"

namespace rightsize::cli {

// Both require `asked.tokens`.
int predict_tokens(Context& context, const Values& values, const Configuration& asked);
int size_tokens(Context& context, const Values& values, const Configuration& asked);

// Whether simulate's job file asks for tokens.
[[nodiscard]] bool asks_tokens(const Values& values);
int simulate_tokens(Context& context, const Values& values);

}  // namespace rightsize::cli
