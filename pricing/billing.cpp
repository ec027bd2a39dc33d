#include "pricing/billing.h"

#include <algorithm>
#include <limits>

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

// Asked of every candidate of a search: no stream.
bool is_sustained(const BillingRule& rule, std::string_view instance) {
  const std::string_view prefixes = rule.sustained_prefix;
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  bool any = false;
  for (std::size_t at = 0; at < prefixes.size();) {
    std::size_t length = 0;
    bool same = true;
    for (; at < prefixes.size() && !is_blank(prefixes[at]); ++at, ++length) {
      same = same && length < instance.size() && instance[length] == prefixes[at];
    }
    if (same && length > 0) {
      return true;
    }
    any = any || length > 0;
    at += length == 0 ? 1 : 0;
  }
  return !any;
}

std::string gib_text(std::int64_t bytes) {
  const double gib = static_cast<double>(bytes) / static_cast<double>(gib_bytes);
  return gib < 1e6 ? fmt::format("{:.6g} GiB", gib) : fmt::format("{:.0f} GiB", gib);
}

std::vector<AmountLine> tiered(const std::vector<AmountTier>& tiers, std::int64_t bytes) {
  std::vector<AmountLine> lines;
  std::int64_t from = 0;
  for (const auto& tier : tiers) {
    // A tier that ends beyond what a count of bytes holds has no end.
    const bool ends =
        tier.up_to_gib && *tier.up_to_gib <= std::numeric_limits<std::int64_t>::max() / gib_bytes;
    const auto end = ends ? *tier.up_to_gib * gib_bytes : std::max(from, bytes);
    const bool rises = !ends || end > from;
    if (!rises || tier.per_gib.currency() != tiers.front().per_gib.currency()) {
      throw PricingError("tiers must rise and be of one currency");
    }
    if (std::min(end, bytes) > from) {
      const auto part = std::min(end, bytes) - from;
      lines.push_back({part, tier.per_gib, tier.per_gib.times(part, gib_bytes)});
    }
    from = end;
  }
  if (from < bytes) {
    throw PricingError(fmt::format(
        "the tiers end at {}: what {} cost is not known", gib_text(from), gib_text(bytes)));
  }
  return lines;
}

}  // namespace rightsize
