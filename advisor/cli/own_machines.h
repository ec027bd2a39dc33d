// Machines of the user's own beside those of price tables: --on-prem.
#pragma once

#include <span>

#include "advisor/cli/command.h"
#include "advisor/query/query.h"
#include "pricing/catalog.h"

namespace rightsize::cli {

// --on-prem MACHINE, repeatable.
void add_on_prem_option(Options& options);

// What services take is every hour, whatever utilisation a machine says. Throws UsageError for what
// is no such machine, and for a GPU or CPU that nobody knows.
void add_own_machines(const Values& values, std::span<const Query> queries, Catalog& catalog);

}  // namespace rightsize::cli
