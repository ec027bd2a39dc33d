#include "pricing/money.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <set>

#include <fmt/format.h>

namespace rightsize {
namespace {

constexpr std::int64_t nano = 1'000'000'000;

__extension__ typedef __int128 Wide;

// Amounts of nearly all bills: one division of 64 bits, where those of 128 are calls of a library.
template <typename Number>
Number divide_positive(Number n, Number d) {
  const Number quotient = n / d;
  const Number rest = n - quotient * d;
  const Number left = d - rest;
  return quotient + (rest > left || (rest == left && quotient % 2 != 0) ? 1 : 0);
}

// value / divisor, half to even.
Wide divide_half_even(Wide value, Wide divisor) {
  constexpr Wide narrow_limit = std::numeric_limits<std::uint64_t>::max();
  const bool negative = (value < 0) != (divisor < 0);
  const Wide n = value < 0 ? -value : value;
  const Wide d = divisor < 0 ? -divisor : divisor;
  const Wide quotient = n <= narrow_limit && d <= narrow_limit
                            ? static_cast<Wide>(divide_positive(static_cast<std::uint64_t>(n),
                                                                static_cast<std::uint64_t>(d)))
                            : divide_positive(n, d);
  return negative ? -quotient : quotient;
}

[[noreturn]] void beyond() {
  throw PricingError(
      "an amount of money is beyond 9.2 thousand million units: is a price, a duration or an "
      "exchange rate mistyped?");
}

std::int64_t narrow(Wide value) {
  if (value > std::numeric_limits<std::int64_t>::max() ||
      value < std::numeric_limits<std::int64_t>::min()) {
    beyond();
  }
  return static_cast<std::int64_t>(value);
}

[[noreturn]] void not_a_price(std::string_view text) {
  throw PricingError(fmt::format("\"{}\" is not a price: expected a decimal such as 3.06", text));
}

// Each name once, for good: there are as many as currencies.
const std::string* currency_named(std::string_view name) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> names;
  const std::lock_guard lock(mutex);
  auto known = names.find(name);
  if (known == names.end()) {
    known = names.emplace(name).first;
  }
  return &*known;
}

}  // namespace

Money::Money(std::int64_t nanos, std::string_view currency)
    : nanos_(nanos), currency_(currency_named(currency)) {}

Money::Currency Money::dollars() {
  static const auto* const usd = currency_named("USD");
  return usd;
}

Money Money::parse(std::string_view decimal, std::string_view currency) {
  std::string_view rest = decimal;
  const bool negative = !rest.empty() && rest.front() == '-';
  if (negative) {
    rest.remove_prefix(1);
  }
  Wide value = 0;
  Wide scale = 1;
  bool point = false;
  int digits = 0;
  for (const char c : rest) {
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9' && scale < 1'000'000'000'000'000) {
      value = value * 10 + (c - '0');
      scale *= point ? 10 : 1;
      ++digits;
    } else if (c < '0' || c > '9') {
      not_a_price(decimal);
    }  // decimals beyond the 15th cannot change the nano-unit by more than rounding
    if (digits > 28) {  // times 10^9 must stay below 2^127
      not_a_price(decimal);
    }
  }
  if (digits == 0) {
    not_a_price(decimal);
  }
  const Wide nanos = divide_half_even(value * nano, scale);
  return {narrow(negative ? -nanos : nanos), currency};
}

Money Money::times(std::int64_t numerator, std::int64_t denominator) const {
  return {narrow(divide_half_even(static_cast<Wide>(nanos_) * numerator, denominator)), currency_};
}

Money Money::times_product(std::int64_t first,
                           std::int64_t second,
                           std::int64_t denominator) const {
  Wide product = static_cast<Wide>(first) * second;
  if (__builtin_mul_overflow(product, static_cast<Wide>(nanos_), &product)) {
    beyond();
  }
  return {narrow(divide_half_even(product, denominator)), currency_};
}

std::string Money::decimal(int decimals) const {
  const bool negative = nanos_ < 0;
  const auto magnitude = static_cast<std::uint64_t>(negative ? -nanos_ : nanos_);
  std::string fraction = fmt::format("{:09}", magnitude % nano);
  while (static_cast<int>(fraction.size()) > decimals && fraction.back() == '0') {
    fraction.pop_back();
  }
  const std::string whole = fmt::format("{}{}", negative ? "-" : "", magnitude / nano);
  return fraction.empty() ? whole : whole + "." + fraction;
}

void Money::require_same_currency(const Money& other) const {
  if (currency_ != other.currency_) {
    throw PricingError(fmt::format(
        "cannot combine {} and {} without an exchange rate", *currency_, *other.currency_));
  }
}

Money Money::operator+(const Money& other) const {
  require_same_currency(other);
  return Money(narrow(static_cast<Wide>(nanos_) + other.nanos_), currency_);
}

Money& Money::operator+=(const Money& other) {
  *this = *this + other;
  return *this;
}

std::strong_ordering Money::operator<=>(const Money& other) const {
  require_same_currency(other);
  return nanos_ <=> other.nanos_;
}

Money convert(const Money& amount, const ExchangeRate& rate) {
  if (amount.currency() == rate.to) {
    return amount;
  }
  if (amount.currency() != rate.from) {
    throw PricingError(
        fmt::format("the rate {} -> {} cannot convert {}", rate.from, rate.to, amount.currency()));
  }
  return {amount.times(rate.rate_nanos, nano).nanos(), rate.to};
}

bool is_currency_code(std::string_view text) {
  constexpr std::size_t letters = 3;
  return text.size() == letters &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace rightsize
