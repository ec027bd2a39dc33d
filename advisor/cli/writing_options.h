// The flags of a language model that writes without a service: how long its texts are, and how its
// numbers are held.
#pragma once

#include "advisor/cli/command.h"
#include "advisor/machine/configuration.h"
#include "advisor/query/query.h"

namespace rightsize::cli {

// --prompt-tokens, --output-tokens, --weights and --caches.
void add_writing_options(Options& options);

// Where they are given; the sequence then holds a text. Throws UsageError, also of a job file with
// [service], which says them itself.
void read_writing(const Values& values, Configuration& asked);
// Likewise, on top of a job file. Of a job that writes nothing they are passed over, and so are
// lengths where its items are single tokens: idle_flags.h says so.
void read_writing(const Values& values, Query& query);

}  // namespace rightsize::cli
