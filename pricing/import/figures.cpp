#include "pricing/import/figures.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace rightsize {
namespace {

constexpr std::int64_t nano = 1'000'000'000;
constexpr std::int64_t beyond_belief_nanos = 99'999 * nano;  // for an hour
constexpr double blank = 9e18;                               // 9223372036854775794

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) { return lower(c); });
  return result;
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  const auto end = text.find_last_not_of(" \t\r");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

// Currencies of which a hundred or thousands make a dollar: an hour of a large machine is 138,000
// won.
bool is_of_small_units(std::string_view currency) {
  static constexpr std::array<std::string_view, 13> codes{
      "ARS", "CLP", "COP", "HUF", "IDR", "INR", "ISK", "JPY", "KRW", "NGN", "PKR", "RUB", "VND"};
  return std::find(codes.begin(), codes.end(), currency) != codes.end();
}

// Real catalogues say 99999999.000, whatever the price is for; so many nines are no price of years
// either.
bool is_placeholder(std::string_view number) {
  constexpr std::size_t least = 6;
  const auto nines = std::min(number.find_first_not_of('9'), number.size());
  const auto rest = number.substr(nines);
  return nines >= least &&
         (rest.empty() ||
          (rest.front() == '.' && rest.find_first_not_of("09", 1) == std::string_view::npos));
}

bool is_believable(const Money& price, int hours) {
  constexpr std::int64_t small_units = 1000;
  const auto limit = beyond_belief_nanos * (is_of_small_units(price.currency()) ? small_units : 1);
  const auto an_hour = price.times(1, hours).nanos();
  return an_hour > 0 && an_hour < limit;
}

}  // namespace

bool says_unknown(std::string_view text) {
  static constexpr std::array<std::string_view, 9> words{
      "-not fetched-", "n/a", "na", "nan", "null", "none", "-", "unavailable", "unknown"};
  const auto word = lower(trimmed(text));
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_quantity(double value) {
  return value > 0 && value < blank;
}

std::optional<double> rough_size(std::string_view number) {
  double size = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), size);
  if (error == std::errc::invalid_argument || end != number.data() + number.size()) {
    return std::nullopt;
  }
  return error == std::errc{} ? std::abs(size) : std::numeric_limits<double>::infinity();
}

std::string plain_decimal(std::string_view text) {
  const auto at = text.find_first_of("eE");
  if (at == std::string_view::npos) {
    return std::string(text);
  }
  int exponent = 0;
  auto power = text.substr(at + 1);
  power.remove_prefix(power.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
  if (error != std::errc{} || end != power.data() + power.size() || std::abs(exponent) > 18) {
    return std::string(text);
  }
  std::string_view mantissa = text.substr(0, at);
  const bool negative = mantissa.starts_with('-');
  mantissa.remove_prefix(negative ? 1 : 0);
  const auto point = std::min(mantissa.find('.'), mantissa.size());
  std::string digits(mantissa.substr(0, point));
  digits += mantissa.substr(std::min(point + 1, mantissa.size()));
  int whole = static_cast<int>(point) + exponent;  // digits before the point
  if (whole <= 0) {
    digits.insert(0, static_cast<std::size_t>(1 - whole), '0');
    whole = 1;
  }
  digits.resize(std::max(digits.size(), static_cast<std::size_t>(whole)), '0');
  const auto fraction = digits.substr(static_cast<std::size_t>(whole));
  return (negative ? "-" : "") + digits.substr(0, static_cast<std::size_t>(whole)) +
         (fraction.empty() ? "" : "." + fraction);
}

PriceFigure read_price(std::string_view text, const std::string& currency, int hours) {
  const auto word = trimmed(text);
  if (word.empty()) {
    return {};
  }
  if (says_unknown(word)) {
    return {std::nullopt, fmt::format("\"{}\" is no price: left out, not taken as free", word)};
  }
  constexpr double least = 1e-12;
  constexpr double most = 9e9;  // more may not even be held
  const auto size = rough_size(word);
  if (!size || (*size >= least && *size <= most)) {
    const auto number = plain_decimal(word);
    const Money price = Money::parse(number, currency);
    if (!is_placeholder(number) && is_believable(price, hours)) {
      return {price, ""};
    }
  }
  return {std::nullopt, fmt::format("{} is not a price anybody pays: left out", word)};
}

std::optional<double> read_quantity(std::string_view text) {
  std::string digits;
  auto rest = trimmed(text);
  while (!rest.empty() && (std::isdigit(static_cast<unsigned char>(rest.front())) != 0 ||
                           rest.front() == '.' || rest.front() == ',')) {
    digits += rest.front() == ',' ? "" : std::string(1, rest.front());
    rest.remove_prefix(1);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const auto unit = lower(trimmed(rest));
  const bool known_unit = unit.empty() || unit == "gib" || unit == "gb" || unit.starts_with("gb ");
  if (error != std::errc{} || end != digits.data() + digits.size() || !known_unit ||
      !is_quantity(value)) {
    return std::nullopt;
  }
  return value;
}

bool mentions(std::string_view text, std::string_view word) {
  return std::search(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
           return lower(a) == lower(b);
         }) != text.end();
}

bool is_arm_cpu(std::string_view cpu) {
  return mentions(cpu, "Graviton") || mentions(cpu, "Neoverse") || mentions(cpu, "Altra");
}

std::string date_of(std::string_view time) {
  return std::string(time.substr(0, time.find('T')));
}

}  // namespace rightsize
