// The whole bill of a job: machines and disks for as long as they are held, by the provider's own
// rounding. Every line is exact and the total is their sum.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "pricing/money.h"
#include "pricing/offer.h"
#include "pricing/volume.h"

namespace rightsize {

// A month is 730 hours, the convention of every cloud price table.
constexpr std::int64_t hours_per_month = 730;

struct BillingRule {
  std::string provider;  // "*": the rule of last resort
  std::string book;
  std::chrono::seconds granularity{3600};
  std::chrono::seconds minimum{3600};
  std::string basis;  // "published" or "assumed"
  std::string source;
};

// Seconds billed for `used`: rounded up to the granularity, at least the minimum.
[[nodiscard]] std::chrono::seconds billed_time(const BillingRule& rule, std::chrono::seconds used);

struct BillLine {
  std::string what;      // "p3.2xlarge on-demand"
  std::string quantity;  // "1 x 22.4 h"
  Money unit_price;
  std::string unit;  // "per hour"
  Money amount;
};

struct Bill {
  std::vector<BillLine> lines;
  Money total;
};

struct VolumeChoice {
  const VolumeClass* volume = nullptr;
  std::int64_t gib = 0;
};

// The total of bill() without its lines: for searches over many offers.
[[nodiscard]] Money bill_total(const Offer& offer,
                               int nodes,
                               const std::optional<VolumeChoice>& volume,
                               std::chrono::seconds used,
                               const BillingRule& rule);

// Throws PricingError when the volume has no published price. Amounts in the offer's currency; the
// volume must be in the same.
[[nodiscard]] Bill bill(const Offer& offer,
                        int nodes,
                        const std::optional<VolumeChoice>& volume,
                        std::chrono::seconds used,
                        const BillingRule& rule);

}  // namespace rightsize
