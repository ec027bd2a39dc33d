#include "pricing/billing.h"

#include <algorithm>

#include <fmt/format.h>

namespace rightsize {
namespace {

constexpr std::int64_t month_seconds = hours_per_month * 3600;
constexpr std::int64_t nano = 1'000'000'000;

}  // namespace

std::chrono::seconds billed_time(const BillingRule& rule, std::chrono::seconds used) {
  const auto at_least = std::max(used, rule.minimum);
  const auto step = rule.granularity.count();
  return std::chrono::seconds((at_least.count() + step - 1) / step * step);
}

std::chrono::seconds billed_time(const BillingRule& rule,
                                 Market market,
                                 std::chrono::seconds used) {
  if (market != Market::spot || !rule.spot_lifetime || used <= *rule.spot_lifetime) {
    return billed_time(rule, used);
  }
  const auto lives = used / *rule.spot_lifetime;
  const auto rest = used % *rule.spot_lifetime;
  return lives * billed_time(rule, *rule.spot_lifetime) +
         (rest.count() > 0 ? billed_time(rule, rest) : std::chrono::seconds(0));
}

std::int64_t sustained_hours_nanos(const std::vector<UseTier>& tiers, std::int64_t seconds) {
  std::int64_t percent_seconds = 0;  // seconds times percent of the list price, of one month
  const auto of_month = [&](std::int64_t used) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < tiers.size(); ++i) {
      const auto from = tiers[i].from_percent * month_seconds / 100;
      const auto to =
          i + 1 < tiers.size() ? tiers[i + 1].from_percent * month_seconds / 100 : month_seconds;
      sum += std::max<std::int64_t>(0, std::min(used, to) - from) * tiers[i].rate_percent;
    }
    return sum;
  };
  percent_seconds =
      seconds / month_seconds * of_month(month_seconds) + of_month(seconds % month_seconds);
  return percent_seconds * (nano / 100) / 3600;
}

std::vector<AmountLine> tiered(const std::vector<AmountTier>& tiers, std::int64_t gib) {
  std::vector<AmountLine> lines;
  std::int64_t from = 0;
  for (const auto& tier : tiers) {
    const bool rises = !tier.up_to_gib || *tier.up_to_gib > from;
    if (!rises || tier.per_gib.currency() != tiers.front().per_gib.currency()) {
      throw PricingError("tiers must rise and be of one currency");
    }
    const auto end = tier.up_to_gib.value_or(std::max(from, gib));
    if (std::min(end, gib) > from) {
      const auto part = std::min(end, gib) - from;
      lines.push_back({part, tier.per_gib, tier.per_gib.times(part)});
    }
    from = end;
  }
  if (from < gib) {
    throw PricingError(
        fmt::format("the tiers end at {} GiB: what {} GiB cost is not known", from, gib));
  }
  return lines;
}

}  // namespace rightsize
