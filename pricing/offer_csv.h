// Offers as CSV: our own table, which every command reads back, and SkyPilot's catalogue.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pricing/offer.h"

namespace rightsize {

// One row per provider, instance, region and book, with a price per market; columns as in
// pricing/tables. What is not known is an empty field. Prices keep all their digits.
[[nodiscard]] std::string to_offer_csv(std::span<const Offer> offers);

// SkyPilot's catalogue (v8) of one provider: prices in US dollars, on demand and spot. Offers of
// other providers, currencies and markets are not written; `left_out` counts them.
[[nodiscard]] std::string to_skypilot_csv(std::span<const Offer> offers,
                                          std::string_view provider,
                                          std::size_t& left_out);

}  // namespace rightsize
