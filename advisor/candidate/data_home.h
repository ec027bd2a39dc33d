// Where a job's data set lies while nobody works with it, as the bill knows it.
#pragma once

#include <optional>

#include "advisor/query/query.h"
#include "pricing/catalog.h"

namespace rightsize {

// nullopt when the query does not say, or there are no data to get. The storage is borrowed from
// the catalogue. Throws UsageError when no table has that provider's object storage.
[[nodiscard]] std::optional<StoredData> stored_data(const Query& query, const Catalog& catalog);

}  // namespace rightsize
