#include "pricing/offer.h"

namespace rightsize {

std::string_view to_string(Market market) {
  return market == Market::on_demand ? "on-demand" : "spot";
}

std::optional<Market> parse_market(std::string_view text) {
  if (text == "on-demand") {
    return Market::on_demand;
  }
  if (text == "spot") {
    return Market::spot;
  }
  return std::nullopt;
}

}  // namespace rightsize
