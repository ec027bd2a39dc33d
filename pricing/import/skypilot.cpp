// SkyPilot's catalogue, catalogs/v5..v8/<cloud>/vms.csv, by header name and without case: the order
// changed between versions, and so did the spelling of GpuInfo. Our own tables are the same with
// Provider, Currency, Reserved1yPrice, Reserved3yPrice, MonthlyPrice, Payment, Cpu, LocalDiskGiB,
// AcceleratorMemoryGiB, Book, AsOf and Source.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "pricing/import/adapters.h"
#include "pricing/import/csv_row.h"
#include "pricing/import/figures.h"
#include "pricing/import/offer_columns.h"
#include "pricing/mebibyte.h"
#include "pricing/monthly.h"
#include "pricing/sold_as.h"

namespace rightsize {
namespace {

constexpr double least_gpu_mib = 512;  // below: GiB written as MiB (RunPod's "80")

// GH200, GB200, GB300: the host beside the GPU is NVIDIA's Grace, of Arm's architecture, which
// catalogues do not say.
bool has_grace(std::string_view gpu) {
  return gpu.starts_with("GH") || gpu.starts_with("GB");
}

// SizeInMiB of GpuInfo, a Python literal: {'Gpus': [{'Name': 'A100', 'MemoryInfo': {'SizeInMiB':
// 40960}}], 'TotalGpuMemoryInMiB': 40960}. Its total is the figure of one GPU, so it is not read.
std::optional<double> mib_of_one(std::string_view info) {
  constexpr std::string_view key = "SizeInMiB";
  const auto at = info.find(key);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  info.remove_prefix(at + key.size());
  const auto begin = info.find_first_of("0123456789");
  if (begin == std::string_view::npos || begin > 4) {
    return std::nullopt;
  }
  const auto end = info.find_first_not_of("0123456789.", begin);
  return read_quantity(info.substr(begin, end - begin));
}

class OfferTable {
 public:
  OfferTable(std::istream& in, const ImportOptions& options, ImportedTable& table)
      : rows_(in, table.file), options_(options), out_(table) {}

  void read() {
    CsvTable::Row row;
    if (!rows_.next(row)) {
      throw PricingError(fmt::format("{}: the file is empty, expected a header line", out_.file));
    }
    header_.header = row.fields;
    // Of prices one column suffices.
    const bool of_months = header_.column("Price") < 0 && header_.column(month_column) >= 0;
    require_columns(
        header_,
        {"InstanceType", "vCPUs", "MemoryGiB", "Region", of_months ? month_column : "Price"},
        out_.file,
        row.line);
    for (const auto& words : unread_columns(header_)) {
      out_.note(row.line, std::string(unread_column), words);
    }
    while (rows_.next(row)) {
      ++out_.rows;
      if (out_.is_whole(row.line, row.fields.size(), header_.header.size())) {
        add(CsvRow(header_, row, out_.file));
      }
    }
  }

 private:
  Offer offer_of(const CsvRow& row) {
    Offer offer;
    offer.provider = row.text("Provider").empty() ? options_.provider : row.text("Provider");
    offer.instance = row.text("InstanceType");
    offer.region = row.text("Region");
    offer.gpu = row.text("AcceleratorName");
    read_gpu_count(row, "AcceleratorCount", out_, offer);
    offer.gpu_memory_gib = stated(row, "AcceleratorMemoryGiB", out_);
    if (!offer.gpu_memory_gib && !offer.gpu.empty()) {
      offer.gpu_memory_gib = memory_of_one(row);
    }
    offer.vcpus = stated(row, "vCPUs", out_);
    offer.memory_gib = stated(row, "MemoryGiB", out_);
    offer.local_disk_gib = number_in(row, "LocalDiskGiB", out_);
    offer.arch = row.text("Arch");
    offer.cpu = says_unknown(row.text("Cpu")) ? "" : row.text("Cpu");
    if (offer.arch.empty() && (has_grace(offer.gpu) || is_arm_cpu(offer.cpu))) {
      offer.arch = "arm64";
    }
    offer.book = row.text("Book").empty() ? options_.book : row.text("Book");
    offer.as_of = row.text("AsOf").empty() ? options_.as_of : row.text("AsOf");
    offer.source = row.text("Source").empty() ? out_.file : row.text("Source");
    offer.table = out_.file;
    offer.line = row.line();
    return offer;
  }

  std::optional<double> memory_of_one(const CsvRow& row) {
    const auto mib = mib_of_one(row.text("GpuInfo"));
    if (mib && *mib < least_gpu_mib) {
      out_.note(row.line(),
                "GpuInfo",
                fmt::format("{} MiB for one GPU is a slip of the unit: taken as not stated", *mib));
      return std::nullopt;
    }
    return mib ? std::optional(*mib / mib_per_gib) : std::nullopt;
  }

  void add(const CsvRow& row) {
    if (row.text("InstanceType").empty()) {
      ++out_.left_out;
      out_.note(
          row.line(),
          "InstanceType",
          fmt::format("{} without the machine it is attached to: what the machine costs is not "
                      "said, left out",
                      row.text("AcceleratorName")));
      return;
    }
    if (row.text(month_column).empty() &&
        std::all_of(price_columns.begin(), price_columns.end(), [&](const auto& price) {
          return row.text(price.column).empty();
        })) {
      out_.without_price(row.line());
      return;
    }
    Offer offer = offer_of(row);
    const std::string currency = row.text("Currency").empty() ? "USD" : row.text("Currency");
    for (const auto& [column, market] : price_columns) {
      const auto figure =
          price_at(row.text(column), currency, row.line(), std::string(column), out_);
      if (figure.price) {
        offer.market = market;
        offer.payment = committed_hours(market) > 0 ? row.text("Payment") : "";
        offer.price_per_hour = *figure.price;
        add_priced(offer, !row.text("AvailabilityZone").empty());
      }
    }
    add_month(row, offer, currency);
  }

  void add_month(const CsvRow& row, Offer& offer, const std::string& currency) {
    const std::string column(month_column);
    const auto figure =
        price_at(row.text(column), currency, row.line(), column, out_, hours_per_month);
    if (!figure.price) {
      return;
    }
    try {
      rent_by_month(offer, *figure.price);
      add_priced(offer, false);
    } catch (const PricingError& error) {
      out_.malformed(row.line(), column, error.what());
    }
  }

  // One offer per region: a row per zone is SkyPilot's way, and zones differ in spot price only.
  void add_priced(const Offer& offer, bool of_a_zone) {
    out_.offers.push_back(offer);
    const auto [found, fresh] = seen_.insert(out_.offers.size() - 1);
    if (fresh) {
      return;
    }
    out_.offers.pop_back();
    Offer& known = out_.offers[*found];
    if (known.price_per_hour == offer.price_per_hour) {
      return;
    }
    const bool same_currency = known.price_per_hour.currency() == offer.price_per_hour.currency();
    if (of_a_zone && same_currency && offer.market == Market::spot) {
      known = offer.price_per_hour < known.price_per_hour ? offer : known;
      return;
    }
    // Of the row that is kept, so that whoever is advised to take it is told.
    out_.note(
        known.line,
        std::string(to_string(offer.market)),
        fmt::format("{} {}, but line {} sells the same at {} {}: the first is kept, delete one",
                    known.price_per_hour.decimal(),
                    known.price_per_hour.currency(),
                    offer.line,
                    offer.price_per_hour.decimal(),
                    offer.price_per_hour.currency()));
  }

  CsvStream rows_;
  const ImportOptions& options_;
  ImportedTable& out_;
  CsvTable header_;

  // What is sold, by place in out_.offers: a key of its own would double what a row takes.
  struct Hash {
    const std::vector<Offer>& offers;
    std::size_t operator()(std::size_t at) const {
      const Offer& offer = offers[at];
      std::size_t hash = static_cast<std::size_t>(offer.market);
      for (const auto* text :
           {&offer.provider, &offer.instance, &offer.region, &offer.book, &offer.cpu}) {
        hash = hash * 1'000'003 ^ std::hash<std::string>{}(*text);
      }
      return hash;
    }
  };
  struct Same {
    const std::vector<Offer>& offers;
    bool operator()(std::size_t left, std::size_t right) const {
      return sold_as(offers[left]) == sold_as(offers[right]);
    }
  };
  std::unordered_set<std::size_t, Hash, Same> seen_{0, Hash{out_.offers}, Same{out_.offers}};
};

}  // namespace

void read_offer_table(std::istream& in, const ImportOptions& options, ImportedTable& table) {
  OfferTable(in, options, table).read();
}

}  // namespace rightsize
