// The whole bill of a job: machines and disks for as long as they are held, by the provider's own
// rounding, and the data set where it lies and on its way. Every line is exact and the total is
// their sum.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "pricing/billing.h"
#include "pricing/money.h"
#include "pricing/object_storage.h"
#include "pricing/offer.h"
#include "pricing/volume.h"

namespace rightsize {

struct BillLine {
  enum class Kind { machine, reservation, discount, disk, storage, egress };

  Kind kind = Kind::machine;
  std::string what;      // "p3.2xlarge on-demand"
  std::string quantity;  // "1 x 22.4 h"
  Money unit_price;
  std::string unit;  // "per hour"
  Money amount;      // less than zero for a discount
};

struct Bill {
  std::vector<BillLine> lines;  // the machine's first
  Money total;
};

struct VolumeChoice {
  const VolumeClass* volume = nullptr;
  std::int64_t gib = 0;
  BoughtSpeed bought = {};
};

struct BillTerms {
  // Of a reservation: how much of its hours work is found for. The job bears its share of the rest.
  // Unsaid it is what its own runs use, or all of them where their number is not said either.
  std::optional<int> utilisation_percent = std::nullopt;
  std::optional<StoredData> data = std::nullopt;  // the data set, where it lies in object storage
  // Of the job, which share whole months of what is paid for by the month or reserved.
  std::optional<double> runs_per_month = std::nullopt;
};

// The total of bill() without its lines: for searches over many offers.
[[nodiscard]] Money bill_total(const Offer& offer,
                               int nodes,
                               const std::optional<VolumeChoice>& volume,
                               std::chrono::seconds used,
                               const BillingRule& rule,
                               const BillTerms& terms = {});

// Throws PricingError when the volume has no published price, or speed is to be bought for it that
// has none. Amounts in the offer's currency; the volume and the storage must be in the same.
[[nodiscard]] Bill bill(const Offer& offer,
                        int nodes,
                        const std::optional<VolumeChoice>& volume,
                        std::chrono::seconds used,
                        const BillingRule& rule,
                        const BillTerms& terms = {});

}  // namespace rightsize
