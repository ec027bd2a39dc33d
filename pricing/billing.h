// How long is billed for what is used, and at what rate: granularities, minima, commitments,
// sustained use. Rules carry where they come from; nothing here knows a price.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pricing/offer.h"

namespace rightsize {

// A month is 730 hours, the convention of every cloud price table.
constexpr std::int64_t hours_per_month = 730;

// What a tier of use costs of its list price, as GCE's sustained use: from `from_percent` of the
// month on, `rate_percent` of the list price. Sorted, the first from 0.
struct UseTier {
  int from_percent = 0;
  int rate_percent = 100;
};

struct BillingRule {
  std::string provider;  // "*": the rule of last resort
  std::string book;
  std::chrono::seconds granularity{3600};  // 1, 60, 3600, or 730 h for monthly rents
  std::chrono::seconds minimum{3600};
  std::string basis;  // "published" or "assumed"
  std::string source;
  // A preemptible machine is taken away after this long at the latest, so a longer job starts anew;
  // absent: no such limit.
  std::optional<std::chrono::seconds> spot_lifetime = std::nullopt;
  // Discounts for use through the month, of on-demand instances whose name begins so, or as one of
  // several with blanks between; empty: of all.
  std::vector<UseTier> sustained = {};
  std::string sustained_prefix = {};
};

// Seconds billed for `used`: rounded up to the granularity, at least the minimum.
[[nodiscard]] std::chrono::seconds billed_time(const BillingRule& rule, std::chrono::seconds used);

// As billed_time, of a machine of that market: each life of a preemptible one is billed by itself.
[[nodiscard]] std::chrono::seconds billed_time(const BillingRule& rule,
                                               Market market,
                                               std::chrono::seconds used);

// List price hours that `hours` of one month come to, in billionths: each tier's hours times its
// rate. More than a month is months after each other. Exact.
[[nodiscard]] std::int64_t sustained_hours_nanos(const std::vector<UseTier>& tiers,
                                                 std::int64_t seconds);

// Whether instances of that name have the rule's discounts for use through the month.
[[nodiscard]] bool is_sustained(const BillingRule& rule, std::string_view instance);

// What clouds call a GB of data at rest or on its way: 2^30 bytes. It is metered in bytes, so that
// a part of one costs its part of the price; only disks are sold in whole ones.
constexpr std::int64_t gib_bytes = std::int64_t{1} << 30;

// "40 GiB", "137.253 GiB": six digits, for people.
[[nodiscard]] std::string gib_text(std::int64_t bytes);

// Tiers for amounts: the first `up_to` GiB cost `per_gib` each; the last tier has no end.
struct AmountTier {
  std::optional<std::int64_t> up_to_gib;
  Money per_gib;  // zero for the free part
};

struct AmountLine {
  std::int64_t bytes = 0;
  Money per_gib;
  Money amount;
};

// What `bytes` cost tier by tier (egress with its free part), to the byte. Throws PricingError when
// the tiers are not ascending, differ in currency, or end before the bytes do.
[[nodiscard]] std::vector<AmountLine> tiered(const std::vector<AmountTier>& tiers,
                                             std::int64_t bytes);

}  // namespace rightsize
