#include "advisor/query/amount_words.h"

#include <charconv>

#include <boost/algorithm/string/trim.hpp>
#include <fmt/format.h>

#include "advisor/query/usage_error.h"

namespace rightsize {
namespace {

constexpr std::size_t code_length = 3;

}  // namespace

AmountWords split_amount(std::string_view text) {
  if (text.starts_with('$')) {
    return {std::string(text.substr(1)), "USD"};
  }
  if (text.size() > code_length) {
    const auto before = text.substr(0, code_length);
    if (is_currency_code(before)) {
      return {boost::trim_copy(std::string(text.substr(code_length))), std::string(before)};
    }
    const auto behind = text.substr(text.size() - code_length);
    if (is_currency_code(behind)) {
      return {boost::trim_copy(std::string(text.substr(0, text.size() - code_length))),
              std::string(behind)};
    }
  }
  return {std::string(text), ""};
}

Money parse_amount(const std::string& text, const std::string& currency, const std::string& what) {
  const auto words = split_amount(text);
  Money amount(0, currency);
  try {
    amount = Money::parse(words.decimal, words.currency.empty() ? currency : words.currency);
  } catch (const PricingError&) {
    throw UsageError(fmt::format(
        "{} = {}: expected an amount such as 470, 470.50 or 470 {}", what, text, currency));
  }
  if (amount.nanos() <= 0) {
    throw UsageError(fmt::format("{} = {}: expected more than nothing", what, text));
  }
  return amount;
}

Money counted_in(const std::string& currency,
                 const Money& amount,
                 const Rates& rates,
                 const std::string& what) {
  if (amount.currency() == currency) {
    return amount;
  }
  const auto rate = rates.find(amount.currency());
  if (rate == rates.end()) {
    throw UsageError(
        fmt::format("{0} = {1} {3}: the job counts in {2}; --fx {3}=RATE says what 1 {3} is in "
                    "{2}, or --currency "
                    "{3} counts in that",
                    what,
                    amount.decimal(),
                    currency,
                    amount.currency()));
  }
  return convert(amount, rate->second);
}

std::optional<double> share_of(double number) {
  return number > 0 && number < 1 ? std::optional(number) : std::nullopt;
}

std::optional<double> parse_share(std::string_view text) {
  const bool percent = text.ends_with('%');
  text.remove_suffix(percent ? 1 : 0);
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) {
    return std::nullopt;
  }
  return share_of(value / (percent ? 100 : 1));
}

}  // namespace rightsize
