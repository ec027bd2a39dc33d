#include "pricing/billed.h"

#include <algorithm>

#include <fmt/format.h>

#include "pricing/monthly.h"

namespace rightsize {
namespace {

constexpr std::int64_t nano = 1'000'000'000;

bool is_reservation(const Offer& offer) {
  return committed_hours(offer.market) > 0;
}

}  // namespace

Billed::Billed(const Offer& offer,
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

Money Billed::machine() const {
  return monthly_ ? month_price(offer_).times(time_.count() * nodes_, billed_month.count())
                  : offer_.price_per_hour.times(time_.count() * nodes_, seconds_per_hour);
}

// The job's share of the hours that nothing is found for, reserved or of what is bought.
std::optional<Money> Billed::idle_cost() const {
  const auto use = held();
  if (use.idle == 0) {
    return std::nullopt;
  }
  const auto* bought = bought_part();
  const Money used = bought == nullptr
                         ? machine()
                         : bought->per_hour.times(time_.count() * nodes_, seconds_per_hour);
  return used.times(use.idle, use.used);
}

// Less than zero; absent where the use is too short for a discount.
std::optional<Money> Billed::sustained() const {
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

std::optional<Money> Billed::disk() const {
  if (!volume_) {
    return std::nullopt;
  }
  if (!volume_->volume->price_per_gib_month) {
    throw PricingError(fmt::format(
        "{} {}: its price is not in the tables", volume_->volume->provider, volume_->volume->name));
  }
  return per_month(*volume_->volume->price_per_gib_month, volume_->gib);
}

std::optional<Money> Billed::iops() const {
  return volume_ ? bought(volume_->volume->price_per_iops_month, volume_->bought.iops, "IOPS")
                 : std::nullopt;
}

std::optional<Money> Billed::throughput() const {
  return volume_ ? bought(volume_->volume->price_per_mbps_month, volume_->bought.mbps, "MB/s")
                 : std::nullopt;
}

// One copy, for as long as the machines are held.
std::optional<Money> Billed::storage() const {
  return stores() ? std::optional(charge_for_keeping(*terms_.data, time_).amount) : std::nullopt;
}

std::optional<Money> Billed::reads() const {
  return stores() ? std::optional(charge_for_reads(*terms_.data, nodes_).amount) : std::nullopt;
}

std::optional<Money> Billed::egress() const {
  return stores() ? std::optional(cost_of_leaving(*terms_.data, offer_, nodes_)) : std::nullopt;
}

Money Billed::total() const {
  Money sum = machine();
  const auto add = [&](const std::optional<Money>& part) {
    if (part) {
      sum += *part;
    }
  };
  add(idle_cost());
  add(sustained());
  if (volume_) {
    add(disk());
    add(iops());
    add(throughput());
  }
  if (stores()) {
    add(storage());
    add(reads());
    add(egress());
  }
  return sum;
}

// What is paid for whether there is work for it or not.
ReservedUse Billed::held() const {
  if (bought_part() != nullptr) {
    return reserved_use(time_, std::nullopt, terms_.runs_per_month);
  }
  return is_reservation(offer_)
             ? reserved_use(time_, terms_.utilisation_percent, terms_.runs_per_month)
             : ReservedUse{};
}

// Whose hours without work the runs of a month bear; nullptr of none.
const PricePart* Billed::bought_part() const {
  const auto found = std::find_if(offer_.parts.begin(),
                                  offer_.parts.end(),
                                  [](const PricePart& part) { return part.idle_borne; });
  return found == offer_.parts.end() ? nullptr : &*found;
}

std::optional<Money> Billed::bought(const std::optional<Money>& price,
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

Money Billed::per_month(const Money& price, std::int64_t quantity) const {
  return price.times(quantity * nodes_ * time_.count(), hours_per_month * seconds_per_hour);
}

}  // namespace rightsize
