// The label behind a machine's name that says how it is rented, as people type it.
#pragma once

#include <optional>
#include <string_view>

#include "pricing/offer.h"

namespace rightsize {

struct MarketLabel {
  Market market = Market::on_demand;
  bool by_month = false;
};

// "[1y]" of "g6.xlarge [1y]"; "" where there is none. It is a part of `name`, whose end has no
// spaces.
[[nodiscard]] std::string_view label_behind(std::string_view name);

// "[Spot]", as tables show it, or "[reserved-1y]", as --market has it, in letters of any case;
// nullopt where it is no market.
[[nodiscard]] std::optional<MarketLabel> parse_market_label(std::string_view label);

}  // namespace rightsize
