// Exact money: integer nano-units (10^-9) of one currency. Prices are read from decimal text and
// never pass through floating point; a bill adds up to the last nano-unit.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rightsize {

// A price, rule or table that cannot be used; the message names the file, line and field.
class PricingError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Money {
 public:
  Money() = default;
  Money(std::int64_t nanos, std::string_view currency);

  // "3.06" -> 3.06 exactly. Throws PricingError on anything but an optional sign, digits, a point
  // and at most 15 decimals (further ones than nano are rounded half to even).
  [[nodiscard]] static Money parse(std::string_view decimal, std::string_view currency);

  [[nodiscard]] std::int64_t nanos() const { return nanos_; }
  [[nodiscard]] const std::string& currency() const { return *currency_; }
  [[nodiscard]] bool is_zero() const { return nanos_ == 0; }

  // For statistics and charts only, never for a bill.
  [[nodiscard]] double approximate() const { return static_cast<double>(nanos_) * 1e-9; }

  // amount * numerator / denominator, rounded half to even at the nano-unit.
  [[nodiscard]] Money times(std::int64_t numerator, std::int64_t denominator = 1) const;

  // amount * first * second / denominator, rounded once: bytes for so many seconds.
  [[nodiscard]] Money times_product(std::int64_t first,
                                    std::int64_t second,
                                    std::int64_t denominator) const;

  // The exact decimal with trailing zeros removed but at least `decimals` of them: "3.06".
  [[nodiscard]] std::string decimal(int decimals = 2) const;

  // Throw PricingError when the currencies differ.
  [[nodiscard]] Money operator+(const Money& other) const;
  Money& operator+=(const Money& other);
  [[nodiscard]] std::strong_ordering operator<=>(const Money& other) const;
  bool operator==(const Money& other) const = default;

 private:
  // Of all amounts in a currency the same: amounts are copied by the million, and compared.
  using Currency = const std::string*;
  Money(std::int64_t nanos, Currency currency) : nanos_(nanos), currency_(currency) {}
  [[nodiscard]] static Currency dollars();

  void require_same_currency(const Money& other) const;

  std::int64_t nanos_ = 0;
  Currency currency_ = dollars();
};

// Rates into one target currency, each with its date: 1 unit of `from` = rate units of the target.
struct ExchangeRate {
  std::string from;
  std::string to;
  std::int64_t rate_nanos = 0;  // exact decimal, 10^-9
  std::string as_of;            // "as given by the user"
};

[[nodiscard]] Money convert(const Money& amount, const ExchangeRate& rate);

// By the currency each converts from.
using Rates = std::map<std::string, ExchangeRate>;

// Three capital letters, as ISO 4217 has them; whether anybody pays in it is not asked.
[[nodiscard]] bool is_currency_code(std::string_view text);

}  // namespace rightsize
