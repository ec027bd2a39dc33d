#include "pricing/bill.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "pricing/monthly.h"
#include "pricing/reserved_use.h"

namespace rightsize {
namespace {

constexpr std::int64_t seconds_per_hour = 3600;
constexpr std::int64_t nano = 1'000'000'000;
constexpr std::chrono::seconds month{hours_per_month * seconds_per_hour};

std::string hours_text(std::chrono::seconds time) {
  return fmt::format("{:.2f} h",
                     static_cast<double>(time.count()) / static_cast<double>(seconds_per_hour));
}

bool is_reservation(const Offer& offer) {
  return committed_hours(offer.market) > 0;
}

// What the bill is made of; bill() and bill_total() add up the same amounts.
class Billed {
 public:
  Billed(const Offer& offer,
         int nodes,
         const std::optional<VolumeChoice>& volume,
         std::chrono::seconds used,
         const BillingRule& rule,
         const BillTerms& terms)
      : offer_(offer),
        nodes_(nodes),
        volume_(volume),
        monthly_(is_monthly(offer)),
        time_(monthly_ ? months_borne(used, terms.runs_per_month)
                       : billed_time(rule, offer.market, used)),
        rule_(rule),
        terms_(terms) {}

  [[nodiscard]] Money machine() const {
    return monthly_ ? month_price(offer_).times(time_.count() * nodes_, month.count())
                    : offer_.price_per_hour.times(time_.count() * nodes_, seconds_per_hour);
  }

  // The job's share of the reserved hours that nothing is found for.
  [[nodiscard]] std::optional<Money> idle_cost() const {
    const auto use = reserved();
    return use.idle > 0 ? std::optional(machine().times(use.idle, use.used)) : std::nullopt;
  }

  // Less than zero; absent where the use is too short for a discount.
  [[nodiscard]] std::optional<Money> sustained() const {
    if (rule_.sustained.empty() || offer_.market != Market::on_demand || monthly_) {
      return std::nullopt;
    }
    // Names are read last: this is asked of every candidate of a search.
    const auto list_hours = sustained_hours_nanos(rule_.sustained, time_.count());
    if (list_hours >= time_.count() * nano / seconds_per_hour ||  // what rounding leaves is none
        !is_sustained(rule_, offer_.instance)) {
      return std::nullopt;
    }
    const Money paid = offer_.price_per_hour.times(list_hours, nano).times(nodes_);
    const Money discount(paid.nanos() - machine().nanos(), paid.currency());
    return discount.nanos() < 0 ? std::optional(discount) : std::nullopt;
  }

  [[nodiscard]] std::optional<Money> disk() const {
    if (!volume_) {
      return std::nullopt;
    }
    if (!volume_->volume->price_per_gib_month) {
      throw PricingError(fmt::format("{} {}: its price is not in the tables",
                                     volume_->volume->provider,
                                     volume_->volume->name));
    }
    return per_month(*volume_->volume->price_per_gib_month, volume_->gib);
  }

  [[nodiscard]] std::optional<Money> iops() const {
    return volume_ ? bought(volume_->volume->price_per_iops_month, volume_->bought.iops, "IOPS")
                   : std::nullopt;
  }

  [[nodiscard]] std::optional<Money> throughput() const {
    return volume_ ? bought(volume_->volume->price_per_mbps_month, volume_->bought.mbps, "MB/s")
                   : std::nullopt;
  }

  // One copy, for as long as the machines are held.
  [[nodiscard]] std::optional<Money> storage() const {
    return stores() ? std::optional(charge_for_keeping(*terms_.data, time_).amount) : std::nullopt;
  }

  [[nodiscard]] std::optional<Money> reads() const {
    return stores() ? std::optional(charge_for_reads(*terms_.data, nodes_).amount) : std::nullopt;
  }

  [[nodiscard]] std::optional<Money> egress() const {
    return stores() ? std::optional(cost_of_leaving(*terms_.data, offer_, nodes_)) : std::nullopt;
  }

  [[nodiscard]] Money total() const {
    Money sum = machine();
    for (const auto& part :
         {idle_cost(), sustained(), disk(), iops(), throughput(), storage(), reads(), egress()}) {
      if (part) {
        sum += *part;
      }
    }
    return sum;
  }

  void machine_lines(std::vector<BillLine>& lines) const {
    if (monthly_) {
      const auto months = static_cast<double>(time_.count()) / static_cast<double>(month.count());
      lines.push_back({BillLine::Kind::machine,
                       offer_.instance + " monthly",
                       fmt::format("{} x {:.3g} month{}", nodes_, months, months == 1 ? "" : "s"),
                       month_price(offer_),
                       "per month of 730 h",
                       machine()});
      return;
    }
    const auto quantity = fmt::format("{} x {}", nodes_, hours_text(time_));
    if (offer_.parts.empty()) {
      lines.push_back({BillLine::Kind::machine,
                       fmt::format("{} {}", offer_.instance, to_string(offer_.market)),
                       quantity,
                       offer_.price_per_hour,
                       "per hour",
                       machine()});
      return;
    }
    Money rest = machine();  // the last part takes what rounding left, so that all adds up
    for (const auto& part : offer_.parts) {
      const bool last = &part == &offer_.parts.back();
      const Money amount = part.per_hour.times(time_.count() * nodes_, seconds_per_hour);
      lines.push_back({BillLine::Kind::machine,
                       fmt::format("{} {}", offer_.instance, part.what),
                       quantity,
                       part.per_hour,
                       "per hour",
                       last ? rest : amount});
      rest = Money(rest.nanos() - amount.nanos(), rest.currency());
    }
  }

  void time_lines(std::vector<BillLine>& lines) const {
    if (const auto amount = idle_cost()) {
      const auto use = reserved();
      lines.push_back({BillLine::Kind::reservation,
                       fmt::format("idle share of the reservation ({})", use.words),
                       fmt::format("{} x {}", nodes_, hours_text(time_)),
                       offer_.price_per_hour.times(use.idle, use.used),
                       "per hour",
                       *amount});
    }
    if (const auto amount = sustained()) {
      lines.push_back({BillLine::Kind::discount,
                       "sustained use",
                       fmt::format("{} x {}", nodes_, hours_text(time_)),
                       offer_.price_per_hour,
                       "per hour, list",
                       *amount});
    }
  }

  void disk_lines(std::vector<BillLine>& lines) const {
    if (const auto amount = disk()) {
      lines.push_back({BillLine::Kind::disk,
                       fmt::format("{} disk", volume_->volume->name),
                       fmt::format("{} x {} GiB x {}", nodes_, volume_->gib, hours_text(time_)),
                       *volume_->volume->price_per_gib_month,
                       "per GiB and month of 730 h",
                       *amount});
    }
    if (const auto amount = iops()) {
      lines.push_back(
          {BillLine::Kind::disk,
           fmt::format("{} IOPS", volume_->volume->name),
           fmt::format("{} x {} IOPS x {}", nodes_, volume_->bought.iops, hours_text(time_)),
           *volume_->volume->price_per_iops_month,
           "per IOPS and month of 730 h",
           *amount});
    }
    if (const auto amount = throughput()) {
      lines.push_back(
          {BillLine::Kind::disk,
           fmt::format("{} throughput", volume_->volume->name),
           fmt::format("{} x {} MB/s x {}", nodes_, volume_->bought.mbps, hours_text(time_)),
           *volume_->volume->price_per_mbps_month,
           "per MB/s and month of 730 h",
           *amount});
    }
  }

  void data_lines(std::vector<BillLine>& lines) const {
    if (!stores()) {
      return;
    }
    const auto& data = *terms_.data;
    const auto home = fmt::format("{} {}", data.storage->provider, data.storage->name);
    const auto kept = charge_for_keeping(data, time_);
    lines.push_back({BillLine::Kind::storage,
                     home,
                     kept.whole_gib_months > 0
                         ? fmt::format("{} whole GiB-months", kept.whole_gib_months)
                         : fmt::format("{} x {}", gib_text(data.bytes), hours_text(time_)),
                     data.storage->per_gib_month,
                     "per GiB and month of 730 h",
                     kept.amount});
    const auto charge = charge_for_reads(data, nodes_);
    if (charge.amount.nanos() > 0) {
      lines.push_back({BillLine::Kind::storage,
                       "reads of " + home,
                       fmt::format("{} reads", charge.reads),
                       data.storage->per_1000_reads,
                       "per 1,000 reads",
                       charge.amount});
    }
    for (const auto& line : leaving(data, offer_, nodes_)) {
      lines.push_back({BillLine::Kind::egress,
                       "out of " + home,
                       gib_text(line.bytes),
                       line.per_gib,
                       "per GiB",
                       line.amount});
    }
  }

 private:
  [[nodiscard]] ReservedUse reserved() const {
    return is_reservation(offer_)
               ? reserved_use(time_, terms_.utilisation_percent, terms_.runs_per_month)
               : ReservedUse{};
  }

  [[nodiscard]] bool stores() const { return terms_.data && terms_.data->bytes > 0; }

  [[nodiscard]] std::optional<Money> bought(const std::optional<Money>& price,
                                            std::int64_t quantity,
                                            std::string_view unit) const {
    if (quantity == 0) {
      return std::nullopt;
    }
    if (!price) {
      throw PricingError(fmt::format("{} {}: the price of its {} is not in the tables",
                                     volume_->volume->provider,
                                     volume_->volume->name,
                                     unit));
    }
    return per_month(*price, quantity);
  }

  [[nodiscard]] Money per_month(const Money& price, std::int64_t quantity) const {
    return price.times(quantity * nodes_ * time_.count(), hours_per_month * seconds_per_hour);
  }

  const Offer& offer_;
  int nodes_;
  const std::optional<VolumeChoice>& volume_;
  bool monthly_;
  std::chrono::seconds time_;  // that it is rented
  const BillingRule& rule_;
  const BillTerms& terms_;
};

}  // namespace

Money bill_total(const Offer& offer,
                 int nodes,
                 const std::optional<VolumeChoice>& volume,
                 std::chrono::seconds used,
                 const BillingRule& rule,
                 const BillTerms& terms) {
  return Billed(offer, nodes, volume, used, rule, terms).total();
}

Bill bill(const Offer& offer,
          int nodes,
          const std::optional<VolumeChoice>& volume,
          std::chrono::seconds used,
          const BillingRule& rule,
          const BillTerms& terms) {
  const Billed billed(offer, nodes, volume, used, rule, terms);
  Bill result;
  billed.machine_lines(result.lines);
  billed.time_lines(result.lines);
  billed.disk_lines(result.lines);
  billed.data_lines(result.lines);
  result.total = result.lines.front().amount;
  for (std::size_t i = 1; i < result.lines.size(); ++i) {
    result.total += result.lines[i].amount;
  }
  return result;
}

}  // namespace rightsize
