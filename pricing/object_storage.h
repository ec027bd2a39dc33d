// Where data lie while nobody works with them, and what it costs to take them from there.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pricing/billing.h"
#include "pricing/money.h"
#include "pricing/offer.h"

namespace rightsize {

// A provider's object storage in its dearest-to-leave everyday class. Bytes are free to bring in
// and to read in the same region everywhere we know of; the requests that read them are not.
struct ObjectStorage {
  std::string provider;
  std::string name;  // "S3 Standard"
  Money per_gib_month;
  Money to_region_per_gib;              // to another region of the same provider
  std::vector<AmountTier> to_internet;  // of one month: to another provider, or home
  Money per_1000_reads;                 // GET requests (class B, read operations)
  std::int64_t free_reads = 0;          // of one month
  std::int64_t read_unit = 1;           // reads beyond them are billed in whole multiples of it
  std::int64_t storage_unit = 0;  // whole GiB-months are billed, by so many; 0: any part of one
  std::string as_of;
  std::string source;
};

// A data set that lies there.
struct StoredData {
  const ObjectStorage* storage = nullptr;
  std::string region;  // empty: the one the machine is rented in, where the provider is the same
  std::int64_t bytes = 0;
  std::int64_t reads = 0;  // requests that fetch all of them once; 0: not known, not billed
};

// One copy kept for `time`: byte-seconds of months of 730 h, rounded once at the nano-unit.
struct StorageCharge {
  std::int64_t whole_gib_months = 0;  // where no part of one is sold
  Money amount;
};
[[nodiscard]] StorageCharge charge_for_keeping(const StoredData& data, std::chrono::seconds time);

// The reads that are billed so that each of `nodes` machines has its copy, and what they cost. The
// month's free part counts as unused by others.
struct ReadCharge {
  std::int64_t reads = 0;
  Money amount;
};
[[nodiscard]] ReadCharge charge_for_reads(const StoredData& data, int nodes);

// What leaves the storage so that each of `nodes` machines has its copy: one line per tier used,
// none where nothing is charged. The month's free part counts as unused by others. Throws
// PricingError where the copies together are more bytes than can be counted.
[[nodiscard]] std::vector<AmountLine> leaving(const StoredData& data,
                                              const Offer& offer,
                                              int nodes);
// Their sum, without the lines.
[[nodiscard]] Money cost_of_leaving(const StoredData& data, const Offer& offer, int nodes);

// Throws PricingError naming file, line and field.
[[nodiscard]] std::vector<ObjectStorage> parse_object_storage(std::string_view csv,
                                                              std::string_view table);

}  // namespace rightsize
