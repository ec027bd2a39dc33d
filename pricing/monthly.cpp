#include "pricing/monthly.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "pricing/billing.h"

namespace rightsize {
namespace {

// An hour's price is rounded by half a nano-unit at most, so 730 of them are off by less than half
// of this.
constexpr std::int64_t month_step_nanos = 1000;

constexpr std::int64_t month_seconds = hours_per_month * 3600;

}  // namespace

bool is_monthly(const Offer& offer) {
  return offer.market == Market::on_demand && offer.payment == monthly_payment;
}

void rent_by_month(Offer& offer, const Money& per_month) {
  if (per_month.nanos() % month_step_nanos != 0) {
    throw PricingError(
        fmt::format("{} a month: expected six decimals at the most", per_month.decimal()));
  }
  offer.market = Market::on_demand;
  offer.payment = monthly_payment;
  offer.price_per_hour = per_month.times(1, hours_per_month);
}

Money month_price(const Offer& offer) {
  const Money steps = offer.price_per_hour.times(hours_per_month, month_step_nanos);
  return steps.times(month_step_nanos);
}

std::string price_as_told(const Offer& offer) {
  const auto hour = offer.price_per_hour.decimal();
  return is_monthly(offer) ? fmt::format("{} a month, {}", month_price(offer).decimal(), hour)
                           : hour;
}

std::int64_t months_paid(std::chrono::seconds used) {
  return std::max<std::int64_t>(1, (used.count() + month_seconds - 1) / month_seconds);
}

std::chrono::seconds share_of_months(std::chrono::seconds used, double runs_per_month) {
  const double together = static_cast<double>(used.count()) * runs_per_month;
  const double months = std::max(1.0, std::ceil(together / static_cast<double>(month_seconds)));
  return std::chrono::seconds(
      std::llround(months * static_cast<double>(month_seconds) / runs_per_month));
}

std::chrono::seconds months_borne(std::chrono::seconds used, std::optional<double> runs_per_month) {
  const std::chrono::seconds alone(months_paid(used) * month_seconds);
  return runs_per_month ? std::min(alone, share_of_months(used, *runs_per_month)) : alone;
}

}  // namespace rightsize
