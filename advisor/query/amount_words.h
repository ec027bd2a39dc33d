// Amounts of money and shares, as people write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pricing/money.h"

namespace rightsize {

// An amount that may name its currency: "470", "470 USD", "USD 470", "470USD", "$470".
struct AmountWords {
  std::string decimal;
  std::string currency;  // ISO 4217; "" where none is named
};
[[nodiscard]] AmountWords split_amount(std::string_view text);

// More than nothing, in the currency it names or else in `currency`. Throws UsageError naming
// `what`.
[[nodiscard]] Money parse_amount(const std::string& text,
                                 const std::string& currency,
                                 const std::string& what);

// The same in `currency`, by its rate. Throws UsageError naming `what` where there is none.
[[nodiscard]] Money counted_in(const std::string& currency,
                               const Money& amount,
                               const Rates& rates,
                               const std::string& what);

// Itself, or nullopt where it does not lie between 0 and 1.
[[nodiscard]] std::optional<double> share_of(double number);
// "0.95" and "95%" -> 0.95, likewise.
[[nodiscard]] std::optional<double> parse_share(std::string_view text);

}  // namespace rightsize
