#include "advisor/data_home.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

namespace rightsize {

std::optional<StoredData> stored_data(const Query& query, const Catalog& catalog) {
  const auto bytes = static_cast<double>(query.dataset_bytes);
  if (query.data_at.empty() || query.format == DataFormat::synthetic || query.service) {
    return std::nullopt;
  }
  const auto slash = query.data_at.find('/');
  const auto provider = query.data_at.substr(0, slash);
  std::string known;
  for (const auto& storage : catalog.object_storage()) {
    if (storage.provider == provider) {
      const auto region = slash == std::string::npos ? "" : query.data_at.substr(slash + 1);
      return StoredData{&storage, region, static_cast<std::int64_t>(std::ceil(bytes / 0x1p30))};
    }
    known += (known.empty() ? "" : ", ") + storage.provider;
  }
  throw UsageError(
      fmt::format("data at {}: no table says what its object storage costs; known are {}, each "
                  "with a region or without, as aws/us-east-1",
                  query.data_at,
                  known));
}

}  // namespace rightsize
