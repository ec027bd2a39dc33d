#include "advisor/suppose/market_label.h"

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>

#include "advisor/full_name.h"

namespace rightsize {

std::string_view label_behind(std::string_view name) {
  const auto begin = name.rfind('[');
  return name.ends_with(']') && begin != std::string_view::npos ? name.substr(begin)
                                                                : std::string_view();
}

std::optional<MarketLabel> parse_market_label(std::string_view label) {
  if (label.empty()) {
    return std::nullopt;
  }
  for (const auto market : all_markets) {
    for (const bool by_month : {false, true}) {
      if (boost::iequals(label, market_label(market, by_month)) ||
          (!by_month && boost::iequals(label, fmt::format("[{}]", to_string(market))))) {
        return MarketLabel{market, by_month};
      }
    }
  }
  return std::nullopt;
}

}  // namespace rightsize
