#include "pricing/object_storage.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "pricing/import/csv_row.h"

namespace rightsize {
namespace {

__extension__ typedef __int128 Wide;

// "100:0 10240:0.09 *:0.085": up to so many GiB at so much each; * is the rest.
std::vector<AmountTier> parse_tiers(const CsvRow& row, std::string_view file) {
  const auto& text = row.text("ToInternet");
  const auto fail = [&] {
    throw PricingError(
        fmt::format("{}:{}: ToInternet = \"{}\": expected GiB:price by blanks, ascending and the "
                    "last of them *:price, as 100:0 10240:0.09 *:0.085",
                    file,
                    row.line(),
                    text));
  };
  std::vector<AmountTier> tiers;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const auto colon = word.find(':');
    if (colon == std::string::npos || (!tiers.empty() && !tiers.back().up_to_gib)) {
      fail();
    }
    AmountTier tier;
    tier.per_gib = Money::parse(std::string_view(word).substr(colon + 1), row.text("Currency"));
    if (word.substr(0, colon) != "*") {
      std::int64_t up_to = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + colon, up_to);
      if (error != std::errc() || end != word.data() + colon ||
          (!tiers.empty() && up_to <= *tiers.back().up_to_gib)) {
        fail();
      }
      tier.up_to_gib = up_to;
    }
    tiers.push_back(std::move(tier));
  }
  if (tiers.empty() || tiers.back().up_to_gib) {
    fail();
  }
  return tiers;
}

Money price_of(const CsvRow& row, const char* column, std::string_view file) {
  try {
    return Money::parse(row.text(column), row.text("Currency"));
  } catch (const PricingError& error) {
    throw PricingError(fmt::format("{}:{}: {}: {}", file, row.line(), column, error.what()));
  }
}

// A count, `otherwise` where the field is empty.
std::int64_t count_of(const CsvRow& row,
                      const char* column,
                      std::int64_t otherwise,
                      std::string_view file) {
  const auto value = row.number(column).value_or(static_cast<double>(otherwise));
  constexpr double most = 1e15;
  if (value < static_cast<double>(otherwise) || value > most || value != std::floor(value)) {
    throw PricingError(fmt::format("{}:{}: {} = \"{}\": expected a whole number from {}",
                                   file,
                                   row.line(),
                                   column,
                                   row.text(column),
                                   otherwise));
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace

StorageCharge charge_for_keeping(const StoredData& data, std::chrono::seconds time) {
  const auto& storage = *data.storage;
  constexpr std::int64_t gib_month = gib_bytes * hours_per_month * 3600;  // in byte-seconds
  if (storage.storage_unit == 0) {
    return {0, storage.per_gib_month.times_product(data.bytes, time.count(), gib_month)};
  }
  const Wide unit = static_cast<Wide>(gib_month) * storage.storage_unit;
  const auto units =
      static_cast<std::int64_t>((static_cast<Wide>(data.bytes) * time.count() + unit - 1) / unit);
  return {units * storage.storage_unit, storage.per_gib_month.times(units * storage.storage_unit)};
}

ReadCharge charge_for_reads(const StoredData& data, int nodes) {
  const auto& storage = *data.storage;
  const auto beyond = std::max<std::int64_t>(0, data.reads * nodes - storage.free_reads);
  const auto billed = (beyond + storage.read_unit - 1) / storage.read_unit * storage.read_unit;
  return {billed, storage.per_1000_reads.times(billed, 1000)};
}

std::vector<AmountLine> leaving(const StoredData& data, const Offer& offer, int nodes) {
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(data.bytes, static_cast<std::int64_t>(nodes), &bytes)) {
    throw PricingError(
        fmt::format("{} copies of {} are more than can be counted: is the size of "
                    "the data set mistyped?",
                    nodes,
                    gib_text(data.bytes)));
  }
  std::vector<AmountLine> lines;
  if (offer.provider != data.storage->provider) {
    lines = tiered(data.storage->to_internet, bytes);
  } else if (!data.region.empty() && offer.region != data.region) {
    const auto& price = data.storage->to_region_per_gib;
    lines.push_back({bytes, price, price.times(bytes, gib_bytes)});
  }
  std::erase_if(lines, [](const AmountLine& line) { return line.amount.nanos() == 0; });
  return lines;
}

Money cost_of_leaving(const StoredData& data, const Offer& offer, int nodes) {
  Money sum(0, data.storage->per_gib_month.currency());
  for (const auto& line : leaving(data, offer, nodes)) {
    sum += line.amount;
  }
  return sum;
}

std::vector<ObjectStorage> parse_object_storage(std::string_view csv, std::string_view file) {
  const auto table = parse_csv(csv, file);
  require_columns(table,
                  {"Provider",
                   "Class",
                   "PricePerGiBMonth",
                   "ToRegionPerGiB",
                   "ToInternet",
                   "Per1000Reads",
                   "Currency"},
                  file);
  std::vector<ObjectStorage> all;
  for (const auto& line : table.rows) {
    const CsvRow row(table, line, file);
    all.push_back({row.text("Provider"),
                   row.text("Class"),
                   price_of(row, "PricePerGiBMonth", file),
                   price_of(row, "ToRegionPerGiB", file),
                   parse_tiers(row, file),
                   price_of(row, "Per1000Reads", file),
                   count_of(row, "FreeReads", 0, file),
                   count_of(row, "ReadUnit", 1, file),
                   count_of(row, "StorageUnit", 0, file),
                   row.text("AsOf"),
                   row.text("Source")});
  }
  return all;
}

}  // namespace rightsize
