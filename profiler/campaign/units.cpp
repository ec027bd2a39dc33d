#include "profiler/campaign/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "kernels/gibibyte.h"

namespace rightsize {
namespace {

using Unit = std::pair<std::string_view, double>;

constexpr std::array<Unit, 11> byte_units{{{"", 1},
                                           {"B", 1},
                                           {"kB", 1e3},
                                           {"KB", 1e3},
                                           {"MB", 1e6},
                                           {"GB", 1e9},
                                           {"TB", 1e12},
                                           {"KiB", 1024},
                                           {"MiB", bytes_per_mib},
                                           {"GiB", bytes_per_gib},
                                           {"TiB", 1024 * bytes_per_gib}}};
constexpr std::array<Unit, 8> time_units{{{"", 1},
                                          {"s", 1},
                                          {"ms", 1e-3},
                                          {"us", 1e-6},
                                          {"min", 60},
                                          {"m", 60},
                                          {"h", 3600},
                                          {"d", 86400}}};

// A number, blanks, a unit of the table; the product.
template <std::size_t Size>
std::optional<double> parse_amount(std::string_view text, const std::array<Unit, Size>& units) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value < 0 || !std::isfinite(value)) {
    return std::nullopt;
  }
  auto unit = text.substr(static_cast<std::size_t>(stop - text.data()));
  while (unit.starts_with(' ')) {
    unit.remove_prefix(1);
  }
  for (const auto& [name, factor] : units) {
    if (unit == name) {
      const double product = value * factor;
      return std::isfinite(product) ? std::optional(product) : std::nullopt;
    }
  }
  return std::nullopt;
}

// 0.1 + 2 x 0.1 is 0.30000000000000004: the number of few digits that is meant.
double as_written(double value) {
  constexpr int digits = 15;  // any whole number below 1e15 stays
  std::array<char, 32> text{};
  const auto* end =
      std::to_chars(
          text.data(), text.data() + text.size(), value, std::chars_format::general, digits)
          .ptr;
  std::from_chars(text.data(), end, value);
  return value;
}

}  // namespace

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  constexpr double most = 1e18;
  const auto bytes = parse_amount(text, byte_units);
  return bytes && *bytes < most ? std::optional(static_cast<std::uint64_t>(std::llround(*bytes)))
                                : std::nullopt;
}

std::optional<double> parse_bytes_per_s(std::string_view text) {
  if (text.ends_with("/s")) {
    text.remove_suffix(2);
  }
  return parse_amount(text, byte_units);
}

std::optional<double> parse_seconds(std::string_view text) {
  return parse_amount(text, time_units);
}

std::optional<std::vector<double>> parse_range(std::string_view text) {
  const auto first = text.find(':');
  const auto second = first == std::string_view::npos ? first : text.find(':', first + 1);
  if (second == std::string_view::npos || second + 1 >= text.size()) {
    return std::nullopt;
  }
  constexpr std::array<Unit, 1> plain{{{"", 1}}};
  const char kind = text[second + 1];
  const auto low = parse_amount(text.substr(0, first), plain);
  const auto high = parse_amount(text.substr(first + 1, second - first - 1), plain);
  const auto step = parse_amount(text.substr(second + 2), plain);
  const bool grows = step && (kind == 'x' ? *step > 1 && low && *low > 0 : *step > 0);
  if (!low || !high || !grows || (kind != 'x' && kind != '+') || *high < *low) {
    return std::nullopt;
  }
  constexpr std::size_t most_values = 1000;
  std::vector<double> values;
  const double end = *high * (1 + 1e-9);
  double power = *low;
  for (double value = *low; value <= end;) {
    if (values.size() == most_values) {
      return std::nullopt;
    }
    values.push_back(value);
    power *= *step;
    value = kind == 'x' ? power : as_written(*low + static_cast<double>(values.size()) * *step);
  }
  return values;
}

}  // namespace rightsize
