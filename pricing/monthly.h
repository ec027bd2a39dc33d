// Machines that are rented by the month (subscriptions, neo-clouds' months): the whole month is
// paid, however little of it is used.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pricing/offer.h"

namespace rightsize {

// Offer::payment of an on-demand offer that is sold so. Its price per hour is a 730th of the
// month's, for comparing; its bill is of whole months.
inline constexpr std::string_view monthly_payment = "monthly";

[[nodiscard]] bool is_monthly(const Offer& offer);

// Makes it one, at so much a month. Throws PricingError on a price of more than six decimals: they
// are what month_price() gives back of the price per hour.
void rent_by_month(Offer& offer, const Money& per_month);

// Of a machine and month; exactly what rent_by_month() was told.
[[nodiscard]] Money month_price(const Offer& offer);

// "1.006"; "450.00 a month, 0.616438356": an hour's, after what the table itself says.
[[nodiscard]] std::string price_as_told(const Offer& offer);

// Months that are paid for so much use: whole ones, one at least.
[[nodiscard]] std::int64_t months_paid(std::chrono::seconds used);

// What each run bears, of so many a month that take `used` each: its part of the whole months that
// they take together. `runs_per_month` is above 0.
[[nodiscard]] std::chrono::seconds share_of_months(std::chrono::seconds used,
                                                   double runs_per_month);

// The same of machines that are rented by the month: whole ones, where nothing is said of other
// runs or one alone has fewer.
[[nodiscard]] std::chrono::seconds months_borne(std::chrono::seconds used,
                                                std::optional<double> runs_per_month);

}  // namespace rightsize
