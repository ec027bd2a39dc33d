// A machine of one's own as an offer: its purchase spread over the hours it is used, and its power.
#pragma once

#include <string_view>

#include "pricing/offer.h"

namespace rightsize {

// The book of such offers, and their region.
inline constexpr std::string_view own_book = "own";

// Whether it is one: a table of the user's may call its book so too.
[[nodiscard]] bool is_own(const Offer& offer);

// The day of their prices: the user says them, and says no day.
inline constexpr std::string_view as_given = "as given";

// Their source where the price names no currency.
inline constexpr std::string_view own_figures_in_dollars =
    "your own figures, in USD as none is named";

// "gpu=A100:8,price=180000USD,years=4,power=6.5kW,kwh=0.15,utilisation=60%,vcpus=128,
// memory=1024GiB,disk=7680GiB,cpu=EPYC 7742,count=4". price, years, power and kwh are needed;
// utilisation is 100 % where it is not said, and the purchase's price is then marked as idle_borne;
// vcpus, memory, disk, cpu and how many there are is not known where they are not. The price is
//   purchase / (years x 8,760 h x utilisation) + kW x price of a kWh.
// What is `always_on` uses every hour, whatever `text` says of others. A price without a currency
// is in USD, and the source says so.
// Throws PricingError naming the word and what was expected, or all that are missing.
[[nodiscard]] Offer on_prem_offer(std::string_view text, bool always_on = false);

}  // namespace rightsize
