#include "pricing/catalog.h"

#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "pricing/import/csv.h"

namespace rightsize {
namespace {

// One row with its columns by name; an absent column reads as an empty field.
class RowReader {
 public:
  RowReader(const CsvTable& table, const CsvTable::Row& row, std::string_view file)
      : table_(table), row_(row), file_(file) {}

  [[nodiscard]] std::string text(std::string_view name) const {
    const int column = table_.column(name);
    return column < 0 ? std::string() : row_.fields[static_cast<std::size_t>(column)];
  }

  // nullopt when empty. Throws PricingError naming the place when it is not a number.
  [[nodiscard]] std::optional<double> number(std::string_view name) const {
    const auto value = text(name);
    if (value.empty()) {
      return std::nullopt;
    }
    double parsed = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
    if (error != std::errc{} || end != value.data() + value.size() || !std::isfinite(parsed)) {
      throw PricingError(
          fmt::format("{}:{}: {} = \"{}\": expected a number", file_, row_.line, name, value));
    }
    return parsed;
  }

 private:
  const CsvTable& table_;
  const CsvTable::Row& row_;
  std::string_view file_;
};

void require_columns(const CsvTable& table,
                     std::initializer_list<std::string_view> names,
                     std::string_view file) {
  for (const auto name : names) {
    if (table.column(name) < 0) {
      throw PricingError(fmt::format("{}:1: there is no column \"{}\"", file, name));
    }
  }
}

Offer offer_from(const RowReader& row, std::string_view table, int line) {
  Offer offer;
  offer.provider = row.text("Provider");
  offer.instance = row.text("InstanceType");
  offer.region = row.text("Region");
  offer.gpu = row.text("AcceleratorName");
  offer.gpus = row.number("AcceleratorCount").value_or(0);
  offer.gpu_memory_gib = row.number("AcceleratorMemoryGiB");
  offer.vcpus = row.number("vCPUs");
  offer.memory_gib = row.number("MemoryGiB");
  offer.local_disk_gib = row.number("LocalDiskGiB");
  offer.arch = row.text("Arch");
  offer.book = row.text("Book").empty() ? std::string(table) : row.text("Book");
  offer.as_of = row.text("AsOf");
  offer.source = row.text("Source");
  offer.table = table;
  offer.line = line;
  return offer;
}

constexpr std::int64_t placeholder_nanos =
    99'999LL * 1'000'000'000;  // real catalogues say 99999999

}  // namespace

void Catalog::add_offers(std::string_view csv, std::string_view table_name) {
  const auto table = parse_csv(csv, table_name);
  require_columns(table, {"InstanceType", "vCPUs", "MemoryGiB", "Region", "Price"}, table_name);
  TableInfo info{std::string(table_name), "", "", 0};
  std::set<std::string> providers;
  std::set<std::string> dates;
  for (const auto& row : table.rows) {
    const RowReader reader(table, row, table_name);
    Offer offer = offer_from(reader, table_name, row.line);
    providers.insert(offer.provider);
    dates.insert(offer.as_of);
    const std::string currency = reader.text("Currency").empty() ? "USD" : reader.text("Currency");
    for (const auto& [column, market] :
         {std::pair{"Price", Market::on_demand}, std::pair{"SpotPrice", Market::spot}}) {
      const auto text = reader.text(column);
      if (text.empty()) {
        continue;  // not published: no such offer, not a free one
      }
      Money price;
      try {
        price = Money::parse(text, currency);
      } catch (const PricingError& error) {
        throw PricingError(
            fmt::format("{}:{}: {}: {}", table_name, row.line, column, error.what()));
      }
      if (price.nanos() <= 0 || price.nanos() >= placeholder_nanos) {
        issues_.push_back({std::string(table_name),
                           row.line,
                           column,
                           fmt::format("{} is not a price anybody pays: left out", text)});
        continue;
      }
      offer.market = market;
      offer.price_per_hour = price;
      offers_.push_back(offer);
      ++info.offers;
    }
  }
  info.provider = providers.size() == 1 ? *providers.begin() : "several";
  for (const auto& date : dates) {
    info.as_of += (info.as_of.empty() ? "" : "; ") + date;
  }
  tables_.push_back(info);
}

void Catalog::add_volumes(std::string_view csv, std::string_view table_name) {
  const auto table = parse_csv(csv, table_name);
  require_columns(table, {"Provider", "Class", "MBpsMax", "PricePerGiBMonth"}, table_name);
  for (const auto& row : table.rows) {
    const RowReader reader(table, row, table_name);
    VolumeClass volume;
    volume.provider = reader.text("Provider");
    volume.name = reader.text("Class");
    volume.kind = reader.text("Kind");
    volume.iops_floor = reader.number("IopsFloor").value_or(0);
    volume.iops_base = reader.number("IopsBase").value_or(0);
    volume.iops_per_gib = reader.number("IopsPerGiB").value_or(0);
    volume.iops_max = reader.number("IopsMax").value_or(0);
    volume.mbps_base = reader.number("MBpsBase").value_or(0);
    volume.mbps_per_gib = reader.number("MBpsPerGiB").value_or(0);
    volume.mbps_max = reader.number("MBpsMax").value_or(0);
    volume.latency_ms = reader.number("LatencyMs").value_or(0);
    volume.min_gib = reader.number("MinGiB").value_or(1);
    volume.max_gib = reader.number("MaxGiB").value_or(0);
    const auto price = reader.text("PricePerGiBMonth");
    if (!price.empty()) {
      volume.price_per_gib_month = Money::parse(price, reader.text("Currency"));
    }
    volume.book = reader.text("Book");
    volume.as_of = reader.text("AsOf");
    volume.source = reader.text("Source");
    volumes_.push_back(volume);
  }
}

void Catalog::add_billing(std::string_view csv, std::string_view table_name) {
  const auto table = parse_csv(csv, table_name);
  require_columns(table, {"Provider", "Book", "GranularityS", "MinimumS"}, table_name);
  for (const auto& row : table.rows) {
    const RowReader reader(table, row, table_name);
    const auto seconds = [&](std::string_view name) {
      return std::chrono::seconds(static_cast<std::int64_t>(reader.number(name).value_or(3600)));
    };
    rules_.push_back({reader.text("Provider"),
                      reader.text("Book"),
                      seconds("GranularityS"),
                      seconds("MinimumS"),
                      reader.text("Basis"),
                      reader.text("Source")});
  }
}

const BillingRule& Catalog::billing(std::string_view provider, std::string_view book) const {
  const BillingRule* last_resort = nullptr;
  for (const auto& rule : rules_) {
    if (rule.provider == provider && rule.book == book) {
      return rule;
    }
    if (rule.provider == "*") {
      last_resort = &rule;
    }
  }
  if (last_resort == nullptr) {
    throw PricingError(
        fmt::format("no billing rule for {} ({}) and none of last resort", provider, book));
  }
  return *last_resort;
}

}  // namespace rightsize
