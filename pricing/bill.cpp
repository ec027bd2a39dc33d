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

Money machine_amount(const Offer& offer, int nodes, std::chrono::seconds billed) {
  return offer.price_per_hour.times(billed.count() * nodes, seconds_per_hour);
}

Money volume_amount(const VolumeChoice& choice, int nodes, std::chrono::seconds billed) {
  if (!choice.volume->price_per_gib_month) {
    throw PricingError(fmt::format(
        "{} {}: its price is not in the tables", choice.volume->provider, choice.volume->name));
  }
  return choice.volume->price_per_gib_month->times(choice.gib * nodes * billed.count(),
                                                   hours_per_month * seconds_per_hour);
}

}  // namespace

std::chrono::seconds billed_time(const BillingRule& rule, std::chrono::seconds used) {
  const auto at_least = std::max(used, rule.minimum);
  const auto step = rule.granularity.count();
  return std::chrono::seconds((at_least.count() + step - 1) / step * step);
}

Money bill_total(const Offer& offer,
                 int nodes,
                 const std::optional<VolumeChoice>& volume,
                 std::chrono::seconds used,
                 const BillingRule& rule) {
  const auto billed = billed_time(rule, used);
  const Money machine = machine_amount(offer, nodes, billed);
  return volume ? machine + volume_amount(*volume, nodes, billed) : machine;
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
                          machine_amount(offer, nodes, billed)});
  if (volume) {
    const Money amount = volume_amount(*volume, nodes, billed);
    result.lines.push_back({fmt::format("{} disk", volume->volume->name),
                            fmt::format("{} x {} GiB x {}", nodes, volume->gib, hours_text(billed)),
                            *volume->volume->price_per_gib_month,
                            "per GiB and month of 730 h",
                            amount});
  }
  result.total = result.lines.front().amount;
  for (std::size_t i = 1; i < result.lines.size(); ++i) {
    result.total += result.lines[i].amount;
  }
  return result;
}

}  // namespace rightsize
