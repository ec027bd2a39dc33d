// What an offer sells: two that agree in it are one thing at two prices.
#pragma once

#include <string_view>
#include <tuple>

#include "pricing/monthly.h"
#include "pricing/offer.h"

namespace rightsize {

// Provider, instance, CPU, region, book; the market; whether by the month.
using SoldAs = std::tuple<std::string_view,
                          std::string_view,
                          std::string_view,
                          std::string_view,
                          std::string_view,
                          Market,
                          bool>;

// Views into the offer.
[[nodiscard]] inline SoldAs sold_as(const Offer& offer) {
  return {offer.provider,
          offer.instance,
          offer.cpu,
          offer.region,
          offer.book,
          offer.market,
          is_monthly(offer)};
}

}  // namespace rightsize
