// The amounts that a bill is made of, each exact: bill() and bill_total() add up the same.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "pricing/bill.h"
#include "pricing/reserved_use.h"

namespace rightsize {

inline constexpr std::int64_t seconds_per_hour = 3600;
inline constexpr std::chrono::seconds billed_month{hours_per_month * seconds_per_hour};

// What is billed of `nodes` machines with their disks and data. All but `used` are borrowed.
class Billed {
 public:
  Billed(const Offer& offer,
         int nodes,
         const std::optional<VolumeChoice>& volume,
         std::chrono::seconds used,
         const BillingRule& rule,
         const BillTerms& terms);

  [[nodiscard]] Money machine() const;
  // The job's share of the hours that nothing is found for, reserved or of what is bought.
  [[nodiscard]] std::optional<Money> idle_cost() const;
  // Less than zero; absent where the use is too short for a discount.
  [[nodiscard]] std::optional<Money> sustained() const;
  // Throw PricingError where the volume has no published price, or none for the speed bought.
  [[nodiscard]] std::optional<Money> disk() const;
  [[nodiscard]] std::optional<Money> iops() const;
  [[nodiscard]] std::optional<Money> throughput() const;
  // Of the data: one copy, for as long as the machines are held; requests; what leaves.
  [[nodiscard]] std::optional<Money> storage() const;
  [[nodiscard]] std::optional<Money> reads() const;
  [[nodiscard]] std::optional<Money> egress() const;
  [[nodiscard]] Money total() const;

  [[nodiscard]] const Offer& offer() const { return offer_; }
  [[nodiscard]] int nodes() const { return nodes_; }
  [[nodiscard]] const std::optional<VolumeChoice>& volume() const { return volume_; }
  [[nodiscard]] bool monthly() const { return monthly_; }
  [[nodiscard]] std::chrono::seconds time() const { return time_; }
  // nullptr where nothing lies anywhere.
  [[nodiscard]] const StoredData* data() const { return stores() ? &*terms_.data : nullptr; }
  // What is paid for whether there is work for it or not.
  [[nodiscard]] ReservedUse held() const;
  // Whose hours without work the runs of a month bear; nullptr of none.
  [[nodiscard]] const PricePart* bought_part() const;

 private:
  [[nodiscard]] bool stores() const { return terms_.data && terms_.data->bytes > 0; }
  [[nodiscard]] std::optional<Money> bought(const std::optional<Money>& price,
                                            std::int64_t quantity,
                                            std::string_view unit) const;
  [[nodiscard]] Money per_month(const Money& price, std::int64_t quantity) const;

  const Offer& offer_;
  int nodes_;
  const std::optional<VolumeChoice>& volume_;
  bool monthly_;
  std::chrono::seconds time_;  // that it is rented
  const BillingRule& rule_;
  const BillTerms& terms_;
};

}  // namespace rightsize
