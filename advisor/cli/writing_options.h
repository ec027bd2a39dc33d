// The flags of a language model that writes without a service: how long its texts are, and how its
// numbers are held.
#pragma once

#include "advisor/cli/command.h"
#include "advisor/machine/configuration.h"

namespace rightsize::cli {

// --prompt-tokens, --output-tokens, --weights and --caches.
void add_writing_options(Options& options);

// Where they are given; the sequence then holds a text. Throws UsageError, also of a job file with
// [service], which says them itself.
void read_writing(const Values& values, Configuration& asked);

}  // namespace rightsize::cli
