// Price tables of the user's own beside the shipped ones: --prices, for every command that
// searches.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "advisor/cli/command.h"
#include "advisor/query/query.h"
#include "pricing/import/import.h"

namespace rightsize::cli {

// --prices FILE alone, and what it adds: see below.
void add_price_files_option(Options& options);
void add_price_files(const Values& values, std::span<Query> queries, Catalog& catalog);
// The shipped tables, and those of --prices beside them, whose offers stand for shipped ones of the
// same name, and the machines of --on-prem: for commands that only look a machine up.
[[nodiscard]] Catalog catalog_with_price_files(const Values& values);

// --prices FILE, --on-prem MACHINE and --custom-prices FILE, all repeatable; --custom-shapes,
// --reserved-discount, --utilisation.
void add_prices_option(Options& options);

// Adds to the shipped tables what these options say, and tells the queries. Where the user names no
// --book, the search is among the offers of --prices only; those of --on-prem and --custom-prices
// come on top. Throws UsageError.
void add_own_tables(const Values& values, std::span<Query> queries, Catalog& catalog);

// Throws UsageError where one of several places or instances is asked for that no table has.
void refuse_unknown_names(const Values& values,
                          std::span<const Query> queries,
                          const Catalog& catalog);

// The files a path stands for: itself, or the tables in a folder by name. Throws UsageError.
[[nodiscard]] std::vector<std::string> table_files(const std::string& path);

// "3 rows without a price are left out, the first on line 7".
[[nodiscard]] std::string unpriced_rows(const ImportedTable& table);

// Reads one file; GPU names become ours, shapes come from `known`. Throws UsageError.
[[nodiscard]] ImportedTable imported_table(const std::string& path,
                                           ImportOptions options,
                                           const Catalog& known,
                                           const std::string& format = {});

}  // namespace rightsize::cli
