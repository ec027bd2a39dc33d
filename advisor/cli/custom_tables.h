// Tables that price machines cut to measure by vCPU, GiB and GPU: --custom-prices, as files.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "advisor/cli/command.h"
#include "pricing/custom_shape.h"
#include "pricing/import/import.h"

namespace rightsize::cli {

// --custom-prices FILE, repeatable.
void add_custom_prices_option(Options& options);

// The machines of one file over its families' limits, as the catalogue takes them; GPU names become
// ours. Throws UsageError naming file, line and field.
[[nodiscard]] ImportedTable custom_table(const std::string& path);

// One machine of each family, the smallest: what is to be doubted of a family shows in any of them.
[[nodiscard]] ImportedTable custom_samples(const std::string& path);

// Whether the file prices parts of machines; false where it cannot be read.
[[nodiscard]] bool is_custom_file(const std::string& path);

// The shipped families, and those of the files that --custom-prices names.
[[nodiscard]] std::vector<CustomFamily> custom_families(const Values& values);

// Says on `context.err` which of their columns are not read and may have been meant to be.
void note_unread_columns(Context& context, const Values& values);

// Adds what --custom-prices names; the books it is of.
std::set<std::string> add_custom_prices(const Values& values, Catalog& catalog);

}  // namespace rightsize::cli
