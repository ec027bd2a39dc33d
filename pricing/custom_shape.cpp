#include "pricing/custom_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "pricing/import/csv_row.h"
#include "pricing/import/figures.h"
#include "rightsize_price_tables.h"  // generated: one string_view per table

namespace rightsize {
namespace {

constexpr std::int64_t mib_per_gib = 1024;
constexpr std::int64_t memory_step_mib = 256;

struct PriceColumns {
  Market market;
  const char* vcpu;
  const char* gib;
  const char* gpu;
};

constexpr std::array columns{
    PriceColumns{Market::on_demand, "VcpuPrice", "GiBPrice", "GpuPrice"},
    PriceColumns{Market::spot, "VcpuSpotPrice", "GiBSpotPrice", "GpuSpotPrice"}};

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
  family.as_of = row.text("AsOf");
  family.source = row.text("Source");
  family.table = file;
  family.line = row.line();
  return family;
}

// The vCPUs a machine with so many GPUs may have; 0 where it is not sold with them.
std::int64_t most_vcpus(const CustomFamily& family, std::int64_t gpus) {
  if (family.gpu.empty()) {
    return gpus == 0 ? family.max_vcpus : 0;
  }
  for (const auto& count : family.gpu_counts) {
    if (count.gpus == gpus) {
      return std::min(count.max_vcpus, family.max_vcpus);
    }
  }
  return 0;
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

std::vector<CustomFamily> shipped_custom_families() {
  return parse_custom_families(embedded::custom_csv(), "custom.csv");
}

std::optional<Offer> custom_offer(const CustomFamily& family,
                                  std::int64_t vcpus,
                                  std::int64_t memory_mib,
                                  std::int64_t gpus) {
  const double gib = static_cast<double>(memory_mib) / mib_per_gib;
  const double ratio = gib / static_cast<double>(std::max<std::int64_t>(1, vcpus));
  const bool sold = memory_mib > 0 && vcpus >= 1 && vcpus <= most_vcpus(family, gpus) &&
                    (vcpus == 1 || vcpus % 2 == 0) && memory_mib % memory_step_mib == 0 &&
                    ratio >= family.min_gib_per_vcpu && ratio <= family.max_gib_per_vcpu;
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
  offer.cpu = family.cpu;
  offer.arch = is_arm_cpu(family.cpu) ? "arm64" : "x86_64";
  offer.parts = {{fmt::format("{} vCPU", vcpus), family.per_vcpu.times(vcpus)},
                 {fmt::format("{:g} GiB", gib), family.per_gib.times(memory_mib, mib_per_gib)}};
  offer.price_per_hour = offer.parts[0].per_hour + offer.parts[1].per_hour;
  if (gpus > 0) {
    offer.instance += fmt::format("+{}x{}", gpus, family.gpu);
    offer.gpu = family.gpu;
    offer.gpus = static_cast<double>(gpus);
    offer.gpu_memory_gib = family.gpu_memory_gib;
    offer.parts.push_back({fmt::format("{} {}", gpus, family.gpu), family.per_gpu.times(gpus)});
    offer.price_per_hour += offer.parts.back().per_hour;
  }
  offer.book = family.book;
  offer.as_of = family.as_of;
  offer.source = family.source;
  offer.table = family.table;
  offer.line = family.line;
  return offer;
}

std::optional<Offer> smallest_holding(const CustomFamily& family,
                                      std::int64_t vcpus,
                                      std::int64_t memory_mib,
                                      std::int64_t gpus) {
  const auto in_steps = [](std::int64_t mib) {
    return (mib + memory_step_mib - 1) / memory_step_mib * memory_step_mib;
  };
  std::set<std::int64_t> counts;  // in rising order: as few GPUs as the vCPUs leave
  for (const auto& sold : family.gpu_counts) {
    counts.insert(sold.gpus);
  }
  if (family.gpu.empty()) {
    counts.insert(0);
  }
  for (auto count = counts.lower_bound(gpus); count != counts.end(); ++count) {
    // More memory than a machine of so few vCPUs may have asks for more of them.
    for (auto n = vcpus == 1 ? 1 : vcpus + vcpus % 2; n <= most_vcpus(family, *count);
         n += n == 1 ? 1 : 2) {
      const auto least = static_cast<std::int64_t>(
          std::ceil(family.min_gib_per_vcpu * static_cast<double>(n * mib_per_gib)));
      if (auto offer = custom_offer(family, n, in_steps(std::max(memory_mib, least)), *count)) {
        return offer;
      }
    }
  }
  return std::nullopt;
}

Offer smallest_custom_offer(const CustomFamily& family) {
  const auto gpus = family.gpu_counts.empty() ? 0 : family.gpu_counts.front().gpus;
  const auto steps = std::ceil(family.min_gib_per_vcpu * mib_per_gib / memory_step_mib);
  for (const std::int64_t vcpus : {1, 2}) {
    const auto mib =
        vcpus * std::max<std::int64_t>(1, static_cast<std::int64_t>(steps)) * memory_step_mib;
    if (auto offer = custom_offer(family, vcpus, mib, gpus)) {
      return std::move(*offer);
    }
  }
  throw PricingError(fmt::format(
      "{}:{}: MinGiBPerVcpu to MaxGiBPerVcpu: no multiple of 0.25 GiB lies between {:g} and {:g}",
      family.table,
      family.line,
      family.min_gib_per_vcpu,
      family.max_gib_per_vcpu));
}

std::vector<Offer> custom_offers(const CustomFamily& family) {
  std::vector<Offer> offers;
  std::vector<std::int64_t> gpu_counts;
  for (const auto& count : family.gpu_counts) {
    gpu_counts.push_back(count.gpus);
  }
  if (family.gpu.empty()) {
    gpu_counts.push_back(0);
  }
  std::set<std::int64_t> sizes{1, 2, 4, 8, 16, 32, 48, 64, 80, 96};
  for (const auto& count : family.gpu_counts) {
    sizes.insert(count.max_vcpus);
  }
  for (const auto vcpus : sizes) {
    for (const double ratio :
         std::set<double>{family.min_gib_per_vcpu, 2.0, 4.0, family.max_gib_per_vcpu}) {
      const auto mib = static_cast<std::int64_t>(ratio * static_cast<double>(vcpus * mib_per_gib)) /
                       memory_step_mib * memory_step_mib;
      for (const auto gpus : gpu_counts) {
        if (auto offer = custom_offer(family, vcpus, mib, gpus)) {
          offers.push_back(std::move(*offer));
        }
      }
    }
  }
  return offers;
}

}  // namespace rightsize
