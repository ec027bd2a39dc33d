#include "pricing/custom_shape.h"

#include <array>

#include <fmt/format.h>

#include "pricing/import/csv_row.h"
#include "rightsize_price_tables.h"  // generated: one string_view per table

namespace rightsize {
namespace {

constexpr std::int64_t mib_per_gib = 1024;
constexpr std::int64_t memory_step_mib = 256;

struct PriceColumns {
  Market market;
  std::string_view vcpu;
  std::string_view gib;
};

constexpr std::array columns{PriceColumns{Market::on_demand, "VcpuPrice", "GiBPrice"},
                             PriceColumns{Market::spot, "VcpuSpotPrice", "GiBSpotPrice"}};

}  // namespace

std::vector<CustomFamily> parse_custom_families(std::string_view csv, std::string_view table_name) {
  const auto table = parse_csv(csv, table_name);
  require_columns(
      table, {"Provider", "Family", "Region", "MaxVcpus", "VcpuPrice", "GiBPrice"}, table_name);
  std::vector<CustomFamily> families;
  for (const auto& row : table.rows) {
    const CsvRow reader(table, row, table_name);
    for (const auto& column : columns) {
      if (reader.text(column.vcpu).empty() || reader.text(column.gib).empty()) {
        continue;
      }
      families.push_back({reader.text("Provider"),
                          reader.text("Family"),
                          reader.text("Region"),
                          column.market,
                          Money::parse(reader.text(column.vcpu), reader.text("Currency")),
                          Money::parse(reader.text(column.gib), reader.text("Currency")),
                          reader.number("MinGiBPerVcpu").value_or(0),
                          reader.number("MaxGiBPerVcpu").value_or(0),
                          static_cast<std::int64_t>(reader.number("MaxVcpus").value_or(0)),
                          reader.text("Book"),
                          reader.text("AsOf"),
                          reader.text("Source")});
    }
  }
  return families;
}

std::vector<CustomFamily> shipped_custom_families() {
  return parse_custom_families(embedded::custom_csv(), "custom.csv");
}

std::optional<Offer> custom_offer(const CustomFamily& family,
                                  std::int64_t vcpus,
                                  std::int64_t memory_mib) {
  const double gib = static_cast<double>(memory_mib) / mib_per_gib;
  const double ratio = gib / static_cast<double>(std::max<std::int64_t>(1, vcpus));
  const bool sold = vcpus >= 1 && vcpus <= family.max_vcpus && (vcpus == 1 || vcpus % 2 == 0) &&
                    memory_mib % memory_step_mib == 0 && ratio >= family.min_gib_per_vcpu &&
                    ratio <= family.max_gib_per_vcpu;
  if (!sold) {
    return std::nullopt;
  }
  Offer offer;
  offer.provider = family.provider;
  offer.instance = fmt::format("{}-{}-{}", family.name, vcpus, memory_mib);
  offer.region = family.region;
  offer.market = family.market;
  offer.vcpus = static_cast<double>(vcpus);
  offer.memory_gib = gib;
  offer.arch = "x86_64";
  offer.parts = {{fmt::format("{} vCPU", vcpus), family.per_vcpu.times(vcpus)},
                 {fmt::format("{:g} GiB", gib), family.per_gib.times(memory_mib, mib_per_gib)}};
  offer.price_per_hour = offer.parts[0].per_hour + offer.parts[1].per_hour;
  offer.book = family.book;
  offer.as_of = family.as_of;
  offer.source = family.source;
  offer.table = "custom.csv";
  return offer;
}

std::vector<Offer> custom_offers(const CustomFamily& family) {
  std::vector<Offer> offers;
  for (const std::int64_t vcpus : {1, 2, 4, 8, 16, 32, 48, 64, 80, 96}) {
    for (const double ratio : {1.0, 2.0, 4.0, family.max_gib_per_vcpu}) {
      const auto mib = static_cast<std::int64_t>(ratio * static_cast<double>(vcpus * mib_per_gib));
      if (auto offer = custom_offer(family, vcpus, mib / memory_step_mib * memory_step_mib)) {
        offers.push_back(std::move(*offer));
      }
    }
  }
  return offers;
}

}  // namespace rightsize
