#include "advisor/candidate/data_home.h"

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/query/exchanged_money.h"
#include "kernels/gibibyte.h"

namespace rightsize {
namespace {

// A region nobody sells machines in is a typing mistake, and would be billed as another region.
void require_region(const Catalog& catalog,
                    const std::string& provider,
                    const std::string& region) {
  std::set<std::string> regions;
  for (const auto& offer : catalog.offers()) {
    if (offer.provider == provider) {
      regions.insert(offer.region);
    }
  }
  if (!region.empty() && !regions.empty() && !regions.contains(region)) {
    throw UsageError(
        fmt::format("data at {}/{}: the tables know no such region of {}; known are {}",
                    provider,
                    region,
                    provider,
                    fmt::join(regions, ", ")));
  }
}

// Requests that fetch the data set once: one for every picture of a folder; a large file comes in
// parts of 8 MiB, as the AWS command line's multipart_chunksize has it.
std::int64_t reads_of(const Query& query) {
  constexpr double part_bytes = 8 * bytes_per_mib;
  return query.format == DataFormat::jpeg
             ? static_cast<std::int64_t>(query.items)
             : static_cast<std::int64_t>(
                   std::ceil(static_cast<double>(query.dataset_bytes) / part_bytes));
}

}  // namespace

std::optional<StoredData> stored_data(const Query& query, const Catalog& catalog) {
  if (query.data_at.empty()) {
    return std::nullopt;
  }
  if (query.format == DataFormat::synthetic || query.service) {
    throw UsageError(fmt::format(
        "data at {}: this job has no data set to get; leave it out, or name the [data] it reads",
        query.data_at));
  }
  const auto slash = query.data_at.find('/');
  const auto provider = query.data_at.substr(0, slash);
  std::string known;
  for (const auto& storage : catalog.object_storage()) {
    if (storage.provider == provider) {
      const auto region = slash == std::string::npos ? "" : query.data_at.substr(slash + 1);
      require_region(catalog, provider, region);
      if (query.dataset_bytes > std::numeric_limits<std::int64_t>::max()) {
        throw UsageError(
            fmt::format("{}: a data set of more than 8 EiB: is its size mistyped?", query.file));
      }
      return StoredData{
          &storage, region, static_cast<std::int64_t>(query.dataset_bytes), reads_of(query)};
    }
    known += (known.empty() ? "" : ", ") + storage.provider;
  }
  throw UsageError(
      fmt::format("data at {}: no table says what its object storage costs; known are {}, each "
                  "with a region or without, as aws/us-east-1",
                  query.data_at,
                  known));
}

namespace {

// nullopt where no rate brings its prices there.
std::optional<ObjectStorage> priced_in(const std::string& currency,
                                       ObjectStorage storage,
                                       const Query& query) {
  if (!exchanged(storage.per_gib_month, currency, query)) {
    return std::nullopt;
  }
  for (auto* price :
       {&storage.per_gib_month, &storage.to_region_per_gib, &storage.per_1000_reads}) {
    *price = *exchanged(*price, currency, query);
  }
  for (auto& tier : storage.to_internet) {
    tier.per_gib = *exchanged(tier.per_gib, currency, query);
  }
  return storage;
}

}  // namespace

StoredDataPrices::StoredDataPrices(const Query& query, const Catalog& catalog)
    : data_(stored_data(query, catalog)) {
  if (!data_) {
    return;
  }
  std::vector<std::string> currencies{query.currency};
  for (const auto& [currency, rate] : query.rates) {
    currencies.push_back(currency);
  }
  for (const auto& currency : currencies) {
    auto storage = priced_in(currency, *data_->storage, query);
    if (storage && currency != own_currency()) {
      exchanged_.emplace(currency, *std::move(storage));
    }
  }
}

std::optional<StoredData> StoredDataPrices::in(const std::string& currency) const {
  if (!data_ || currency == own_currency()) {
    return data_;
  }
  const auto found = exchanged_.find(currency);
  if (found == exchanged_.end()) {
    return std::nullopt;
  }
  auto data = *data_;
  data.storage = &found->second;
  return data;
}

bool StoredDataPrices::can_bill(const std::string& currency) const {
  return !data_ || currency == own_currency() || exchanged_.contains(currency);
}

std::string StoredDataPrices::own_currency() const {
  return data_ ? data_->storage->per_gib_month.currency() : "";
}

}  // namespace rightsize
