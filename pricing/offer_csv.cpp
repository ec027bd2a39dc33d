#include "pricing/offer_csv.h"

#include <array>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pricing/gpu_share.h"
#include "pricing/mebibyte.h"
#include "pricing/monthly.h"

namespace rightsize {
namespace {

std::string csv_field(std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(field);
  }
  std::string text = "\"";
  for (const char c : field) {
    text += c == '"' ? "\"\"" : std::string(1, c);
  }
  return text + "\"";
}

std::string row_of(const std::vector<std::string>& fields) {
  std::string row;
  for (const auto& field : fields) {
    row += (row.empty() && &field == &fields.front() ? "" : ",") + csv_field(field);
  }
  return row + "\n";
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

// The offers of one row, by market, and the one that is rented by the month.
struct Row {
  std::array<const Offer*, std::size(all_markets)> by_market{};
  const Offer* by_month = nullptr;

  [[nodiscard]] const Offer& any() const {
    for (const auto* offer : by_market) {
      if (offer != nullptr) {
        return *offer;
      }
    }
    return *by_month;
  }
  [[nodiscard]] std::string price(Market market) const {
    const auto* offer = by_market[static_cast<std::size_t>(market)];
    return offer == nullptr ? "" : offer->price_per_hour.decimal();
  }
  [[nodiscard]] std::string month() const {
    return by_month == nullptr ? "" : month_price(*by_month).decimal();
  }
  [[nodiscard]] std::string payment() const {
    const auto* one = by_market[static_cast<std::size_t>(Market::reserved_1y)];
    const auto* three = by_market[static_cast<std::size_t>(Market::reserved_3y)];
    return one != nullptr ? one->payment : three != nullptr ? three->payment : "";
  }
};

std::vector<Row> rows_of(std::span<const Offer> offers) {
  std::vector<Row> rows;
  std::map<std::string, std::size_t> index;
  for (const auto& offer : offers) {
    // A row has one CPU and one currency.
    const auto key = fmt::format("{}|{}|{}|{}|{}|{}",
                                 offer.provider,
                                 offer.instance,
                                 offer.region,
                                 offer.book,
                                 offer.cpu,
                                 offer.price_per_hour.currency());
    const auto [found, fresh] = index.emplace(key, rows.size());
    if (fresh) {
      rows.emplace_back();
    }
    auto& row = rows[found->second];
    auto& slot =
        is_monthly(offer) ? row.by_month : row.by_market[static_cast<std::size_t>(offer.market)];
    slot = slot == nullptr ? &offer : slot;
  }
  return rows;
}

}  // namespace

std::string to_offer_csv(std::span<const Offer> offers) {
  std::string text =
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,"
      "AcceleratorMemoryGiB,Region,Price,SpotPrice,Reserved1yPrice,Reserved3yPrice,"
      "MonthlyPrice,Payment,Currency,"
      "Arch,Cpu,LocalDiskGiB,Book,AsOf,Source\n";
  for (const auto& row : rows_of(offers)) {
    const Offer& offer = row.any();
    text += row_of({offer.provider,
                    offer.instance,
                    number(offer.vcpus),
                    number(offer.memory_gib),
                    offer.gpu,
                    offer.gpu.empty() ? "" : fmt::format("{}", offer.gpus),
                    number(offer.gpu_memory_gib),
                    offer.region,
                    row.price(Market::on_demand),
                    row.price(Market::spot),
                    row.price(Market::reserved_1y),
                    row.price(Market::reserved_3y),
                    row.month(),
                    row.payment(),
                    offer.price_per_hour.currency(),
                    offer.arch,
                    offer.cpu,
                    number(offer.local_disk_gib),
                    offer.book,
                    offer.as_of,
                    offer.source});
  }
  return text;
}

std::string to_skypilot_csv(std::span<const Offer> offers,
                            std::string_view provider,
                            std::size_t& left_out) {
  std::vector<Offer> wanted;
  for (const auto& offer : offers) {
    if (offer.provider == provider && offer.price_per_hour.currency() == "USD" &&
        committed_hours(offer.market) == 0 && !is_monthly(offer)) {
      wanted.push_back(offer);
    }
  }
  left_out = offers.size() - wanted.size();
  std::string text =
      "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,"
      "AvailabilityZone,Price,SpotPrice,Arch\n";
  for (const auto& row : rows_of(wanted)) {
    const Offer offer = with_counted_share(row.any());
    std::string info;
    if (!offer.gpu.empty() && offer.gpu_memory_gib) {
      info = fmt::format(
          "{{'Gpus': [{{'Name': '{0}', 'Count': {1:g}, 'MemoryInfo': {{'SizeInMiB': {2:.0f}}}}}], "
          "'TotalGpuMemoryInMiB': {2:.0f}}}",
          offer.gpu,
          offer.gpus,
          *offer.gpu_memory_gib * mib_per_gib);
    }
    text += row_of({offer.instance,
                    number(offer.vcpus),
                    number(offer.memory_gib),
                    offer.gpu,
                    offer.gpu.empty() ? "" : fmt::format("{}", offer.gpus),
                    info,
                    offer.region,
                    "",
                    row.price(Market::on_demand),
                    row.price(Market::spot),
                    offer.arch});
  }
  return text;
}

}  // namespace rightsize
