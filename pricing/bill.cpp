#include "pricing/bill.h"

#include <algorithm>

#include <fmt/format.h>

namespace rightsize {
namespace {

constexpr std::int64_t seconds_per_hour = 3600;

std::string hours_text(std::chrono::seconds time) {
  return fmt::format("{:.2f} h",
                     static_cast<double>(time.count()) / static_cast<double>(seconds_per_hour));
}

}  // namespace

std::chrono::seconds billed_time(const BillingRule& rule, std::chrono::seconds used) {
  const auto at_least = std::max(used, rule.minimum);
  const auto step = rule.granularity.count();
  return std::chrono::seconds((at_least.count() + step - 1) / step * step);
}

Bill bill(const Offer& offer,
          int nodes,
          const std::optional<VolumeChoice>& volume,
          std::chrono::seconds used,
          const BillingRule& rule) {
  const auto billed = billed_time(rule, used);
  Bill result;
  result.lines.push_back({fmt::format("{} {}", offer.instance, to_string(offer.market)),
                          fmt::format("{} x {}", nodes, hours_text(billed)),
                          offer.price_per_hour,
                          "per hour",
                          offer.price_per_hour.times(billed.count() * nodes, seconds_per_hour)});
  if (volume) {
    if (!volume->volume->price_per_gib_month) {
      throw PricingError(fmt::format(
          "{} {}: its price is not in the tables", volume->volume->provider, volume->volume->name));
    }
    const Money& price = *volume->volume->price_per_gib_month;
    result.lines.push_back(
        {fmt::format("{} disk", volume->volume->name),
         fmt::format("{} x {} GiB x {}", nodes, volume->gib, hours_text(billed)),
         price,
         "per GiB and month of 730 h",
         price.times(volume->gib * nodes * billed.count(), hours_per_month * seconds_per_hour)});
  }
  result.total = result.lines.front().amount;
  for (std::size_t i = 1; i < result.lines.size(); ++i) {
    result.total += result.lines[i].amount;
  }
  return result;
}

}  // namespace rightsize
