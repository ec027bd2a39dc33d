// How a name says in which market its machine is rented.
#pragma once

#include <string>
#include <string_view>

#include "pricing/offer.h"

namespace rightsize {

// "[Spot]", "[1y]", "[3y]"; "" on demand, which goes without saying.
[[nodiscard]] std::string_view market_label(Market market);

// "g5.xlarge [Spot]"
[[nodiscard]] std::string with_market(std::string_view name, Market market);

}  // namespace rightsize
