#include "pricing/offer.h"

#include <cctype>

namespace rightsize {

std::string_view to_string(Market market) {
  switch (market) {
    case Market::on_demand:
      return "on-demand";
    case Market::spot:
      return "spot";
    case Market::reserved_1y:
      return "reserved-1y";
    case Market::reserved_3y:
      return "reserved-3y";
  }
  return "?";
}

std::optional<Market> parse_market(std::string_view text) {
  std::string lower(text);
  for (auto& c : lower) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  for (const auto market : all_markets) {
    if (lower == to_string(market)) {
      return market;
    }
  }
  return std::nullopt;
}

int committed_hours(Market market) {
  constexpr int year = 365 * 24;
  return market == Market::reserved_1y ? year : market == Market::reserved_3y ? 3 * year : 0;
}

}  // namespace rightsize
