// Machines of the user's own beside those of price tables: --on-prem.
#pragma once

#include "advisor/cli/command.h"
#include "pricing/catalog.h"

namespace rightsize::cli {

// --on-prem MACHINE, repeatable.
void add_on_prem_option(Options& options);

// `always_on`: for services alone, which take every hour. Throws UsageError for what is no such
// machine, and for a GPU or CPU that nobody knows.
void add_own_machines(const Values& values, bool always_on, Catalog& catalog);

}  // namespace rightsize::cli
