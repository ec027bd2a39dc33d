// Prices of a price book in the currency of what they are billed with.
#pragma once

#include <span>

#include "advisor/query/query.h"
#include "pricing/import/import.h"

namespace rightsize::cli {

// A price agreed in another currency than the provider's list is brought to that, by the rates of
// the first job; the others must have rates too, and say their total in their own.
// Throws UsageError where a job has no rate for one of the two.
void count_as_listed(ImportedTable& table, std::span<const Query> queries, const Catalog& shipped);

}  // namespace rightsize::cli
