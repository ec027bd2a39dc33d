#include "pricing/custom_family.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "pricing/book_name.h"
#include "pricing/import/csv_row.h"
#include "pricing/import/offer_columns.h"
#include "rightsize_price_tables.h"  // generated: one string_view per table

namespace rightsize {
namespace {

struct PriceColumns {
  Market market;
  const char* vcpu;
  const char* gib;
  const char* gpu;
};

constexpr std::array columns{
    PriceColumns{Market::on_demand, "VcpuPrice", "GiBPrice", "GpuPrice"},
    PriceColumns{Market::spot, "VcpuSpotPrice", "GiBSpotPrice", "GpuSpotPrice"}};

constexpr std::array<std::string_view, 20> columns_read{
    "Provider",      "Family",   "Region",   "MaxVcpus",      "MinGiBPerVcpu",
    "MaxGiBPerVcpu", "Cpu",      "Gpu",      "GpuMemoryGiB",  "GpuVcpus",
    "VcpuPrice",     "GiBPrice", "GpuPrice", "VcpuSpotPrice", "GiBSpotPrice",
    "GpuSpotPrice",  "Currency", "Book",     "AsOf",          "Source"};

// "1:48 2:48 4:96": GPUs, and the most vCPUs beside so many.
std::vector<GpuCount> parse_counts(const CsvRow& row, std::string_view file) {
  std::vector<GpuCount> counts;
  std::istringstream words(row.text("GpuVcpus"));
  for (std::string word; words >> word;) {
    GpuCount count;
    char rest = 0;
    long gpus = 0;
    long vcpus = 0;
    if (std::sscanf(word.c_str(), "%ld:%ld%c", &gpus, &vcpus, &rest) != 2 || gpus < 1 ||
        vcpus < 1) {
      throw PricingError(
          fmt::format("{}:{}: GpuVcpus = \"{}\": expected GPUs:vCPUs by blanks, as "
                      "1:48 2:48 4:96",
                      file,
                      row.line(),
                      row.text("GpuVcpus")));
    }
    counts.push_back({gpus, vcpus});
  }
  if (counts.empty()) {
    throw PricingError(fmt::format(
        "{}:{}: a GPU without GpuVcpus: expected how many a machine takes, as 1:48 2:48 4:96",
        file,
        row.line()));
  }
  return counts;
}

// More than nothing: no part of a machine is given away, and a slip must not win the search.
Money price_of(const CsvRow& row, const char* column, std::string_view file) {
  std::optional<Money> price;
  try {
    price = Money::parse(row.text(column), row.text("Currency"));
  } catch (const PricingError&) {
    price = std::nullopt;
  }
  constexpr std::int64_t absurd = 1'000'000'000'000'000;  // a million an hour
  if (!price || price->nanos() <= 0 || price->nanos() > absurd) {
    throw PricingError(
        fmt::format("{}:{}: {} = \"{}\": expected a price per hour above 0, such as "
                    "0.0332, and its Currency",
                    file,
                    row.line(),
                    column,
                    row.text(column)));
  }
  return *price;
}

void read_limits(const CsvRow& row, std::string_view file, CustomFamily& family) {
  const auto wrong = [&](const char* column, const char* expected) {
    throw PricingError(fmt::format(
        "{}:{}: {} = \"{}\": expected {}", file, row.line(), column, row.text(column), expected));
  };
  const double vcpus = row.number("MaxVcpus").value_or(0);
  if (vcpus < 1 || vcpus > 65536 || vcpus != std::floor(vcpus)) {
    wrong("MaxVcpus", "the most vCPUs of a machine, a whole number from 1, such as 96");
  }
  family.max_vcpus = static_cast<std::int64_t>(vcpus);
  family.min_gib_per_vcpu = row.number("MinGiBPerVcpu").value_or(0);
  family.max_gib_per_vcpu = row.number("MaxGiBPerVcpu").value_or(0);
  if (!(family.max_gib_per_vcpu > 0)) {
    wrong("MaxGiBPerVcpu", "the most GiB for each vCPU, above 0, such as 6.5");
  }
  if (family.min_gib_per_vcpu < 0 || family.min_gib_per_vcpu > family.max_gib_per_vcpu) {
    wrong("MinGiBPerVcpu", "the least GiB for each vCPU, from 0 to MaxGiBPerVcpu, such as 1");
  }
}

CustomFamily family_of(const CsvRow& row, const PriceColumns& price, std::string_view file) {
  CustomFamily family;
  family.provider = row.text("Provider");
  if (family.provider.empty()) {
    throw PricingError(
        fmt::format("{}:{}: Provider is empty: whose price is it?", file, row.line()));
  }
  family.name = row.text("Family");
  family.region = row.text("Region");
  family.market = price.market;
  family.per_vcpu = price_of(row, price.vcpu, file);
  family.per_gib = price_of(row, price.gib, file);
  read_limits(row, file, family);
  family.cpu = row.text("Cpu");
  family.gpu = row.text("Gpu");
  if (!family.gpu.empty()) {
    family.gpu_memory_gib = row.number("GpuMemoryGiB");
    if (family.gpu_memory_gib && !(*family.gpu_memory_gib > 0)) {
      throw PricingError(fmt::format(
          "{}:{}: GpuMemoryGiB: expected GiB of one GPU above 0, or nothing where it is not known",
          file,
          row.line()));
    }
    family.gpu_counts = parse_counts(row, file);
    family.per_gpu = price_of(row, price.gpu, file);
  }
  family.book = row.text("Book").empty() ? "current" : row.text("Book");
  if (const auto why = unusable_book(family.book); !why.empty()) {
    throw PricingError(fmt::format("{}:{}: Book: {}", file, row.line(), why));
  }
  family.as_of = row.text("AsOf");
  family.source = row.text("Source");
  family.table = file;
  family.line = row.line();
  return family;
}

}  // namespace

bool is_custom_table(std::string_view head) {
  const auto header = head.substr(0, head.find('\n'));
  return header.find("VcpuPrice") != std::string_view::npos &&
         header.find("GiBPrice") != std::string_view::npos;
}

std::vector<CustomFamily> parse_custom_families(std::string_view csv, std::string_view table_name) {
  const auto table = parse_csv(csv, table_name);
  require_columns(table,
                  {"Provider",
                   "Family",
                   "Region",
                   "MaxVcpus",
                   "MaxGiBPerVcpu",
                   "VcpuPrice",
                   "GiBPrice",
                   "Currency"},
                  table_name);
  std::vector<CustomFamily> families;
  for (const auto& row : table.rows) {
    require_width(table, row, table_name);
    const CsvRow reader(table, row, table_name);
    const auto before = families.size();
    for (const auto& column : columns) {
      const bool priced = !reader.text(column.vcpu).empty() && !reader.text(column.gib).empty() &&
                          (reader.text("Gpu").empty() || !reader.text(column.gpu).empty());
      if (priced) {
        families.push_back(family_of(reader, column, table_name));
      }
    }
    if (families.size() == before) {
      throw PricingError(
          fmt::format("{}:{}: no price: expected VcpuPrice and GiBPrice, or VcpuSpotPrice and "
                      "GiBSpotPrice, and with a Gpu its GpuPrice or GpuSpotPrice",
                      table_name,
                      row.line));
    }
  }
  if (families.empty()) {
    throw PricingError(fmt::format("{}: a header without rows: nothing is priced", table_name));
  }
  return families;
}

std::vector<std::string> unread_custom_columns(std::string_view csv, std::string_view table_name) {
  return unread_columns(parse_csv(csv, table_name),
                        {std::begin(columns_read), std::end(columns_read)},
                        "prices are in VcpuPrice, GiBPrice, GpuPrice and those with Spot in their "
                        "names, GPUs in Gpu, GpuVcpus and GpuMemoryGiB");
}

std::vector<CustomFamily> shipped_custom_families() {
  return parse_custom_families(embedded::custom_csv(), "custom.csv");
}

}  // namespace rightsize
