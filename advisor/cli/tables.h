// Price tables of the user's own beside the shipped ones: --prices, for every command that
// searches.
#pragma once

#include <string>
#include <vector>

#include "advisor/cli/command.h"
#include "advisor/query.h"
#include "pricing/import/import.h"

namespace rightsize::cli {

// --prices FILE and --on-prem MACHINE, both repeatable; --custom-shapes, --reserved-discount,
// --utilisation.
void add_prices_option(Options& options);

// The shipped tables and what these options add. Where the user names no --book, the search is
// among the offers of --prices only, and those of --on-prem come on top. Throws UsageError.
[[nodiscard]] Catalog catalog_for(const Values& values, Query& query);

// The files a path stands for: itself, or the tables in a folder by name. Throws UsageError.
[[nodiscard]] std::vector<std::string> table_files(const std::string& path);

// Reads one file; GPU names become ours, shapes come from `known`. Throws UsageError.
[[nodiscard]] ImportedTable imported_table(const std::string& path,
                                           ImportOptions options,
                                           const Catalog& known,
                                           const std::string& format = {});

}  // namespace rightsize::cli
