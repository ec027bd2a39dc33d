// What a customer pays less than a table says.
#include <fmt/format.h>

#include "pricing/import/import.h"

namespace rightsize {
namespace {

// "12", "12.5%", "12 %": exact decimal; the "currency" is never shown.
Money percent_of(std::string_view text) {
  const auto number = text.substr(0, text.find_last_not_of(" %") + 1);
  try {
    auto value = Money::parse(number, "%");
    if (value.nanos() > 0 && value < Money::parse("100", "%")) {
      return value;
    }
  } catch (const PricingError&) {  // which speaks of prices
  }
  throw PricingError(fmt::format(
      "\"{}\": expected per cent, more than 0 and less than 100, such as 12 or 12.5", text));
}

}  // namespace

void apply_discount(std::vector<Offer>& offers, std::string_view percent) {
  const auto value = percent_of(percent);
  const Money whole = Money::parse("100", "%");
  for (auto& offer : offers) {
    offer.price_per_hour = offer.price_per_hour.times(whole.nanos() - value.nanos(), whole.nanos());
    offer.source += fmt::format("; less {} %", value.decimal(0));
  }
}

}  // namespace rightsize
