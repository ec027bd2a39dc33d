// Where a job's data set lies while nobody works with it, as the bill knows it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "advisor/query/query.h"
#include "pricing/catalog.h"

namespace rightsize {

// nullopt when the query does not say, or there are no data to get. The storage is borrowed from
// the catalogue. Throws UsageError when no table has that provider's object storage.
[[nodiscard]] std::optional<StoredData> stored_data(const Query& query, const Catalog& catalog);

// The same as bills in each currency that the query has a rate for have it: a machine and the
// storage of its data make one bill, of one currency.
class StoredDataPrices {
 public:
  // As stored_data(), and throws as it does.
  StoredDataPrices(const Query& query, const Catalog& catalog);
  StoredDataPrices(const StoredDataPrices&) = delete;  // what it gives away is borrowed from it
  StoredDataPrices& operator=(const StoredDataPrices&) = delete;
  StoredDataPrices(StoredDataPrices&&) = default;
  StoredDataPrices& operator=(StoredDataPrices&&) = default;
  ~StoredDataPrices() = default;

  // nullopt where there are no data to get, or can_bill() is false.
  [[nodiscard]] std::optional<StoredData> in(const std::string& currency) const;
  // Whether there are none, or a rate brings what they cost into the currency.
  [[nodiscard]] bool can_bill(const std::string& currency) const;
  // Of the storage as its table has it; "" where there are no data to get.
  [[nodiscard]] std::string own_currency() const;

 private:
  std::optional<StoredData> data_;
  std::map<std::string, ObjectStorage, std::less<>> exchanged_;  // in all but its own
};

}  // namespace rightsize
