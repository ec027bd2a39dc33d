#include "advisor/report/units.h"

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace rightsize::report {

namespace {

// Below this a second digit after the point is not enough of an amount, and "$0.00" would be false.
constexpr double fine_below = 0.0995;

// 4.36e-05 as people read money: 0.0000436. Below a millionth of a cent no zeros are counted.
std::string without_exponent(double value) {
  if (std::abs(value) < 1e-8) {
    return fmt::format("{:.3g}", value);
  }
  const int places = 2 - static_cast<int>(std::floor(std::log10(std::abs(value))));
  auto text = fmt::format("{:.{}f}", value, places);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

}  // namespace

std::string digits(double value) {
  if (!std::isfinite(value)) {
    return "—";
  }
  const double size = std::abs(value);
  if (size == 0) {
    return "0";
  }
  if (size >= 99.95) {
    return fmt::format("{:.0f}", value);
  }
  if (size >= 9.995) {
    return fmt::format("{:.1f}", value);
  }
  if (size >= 0.9995) {
    return fmt::format("{:.2f}", value);
  }
  return fmt::format("{:.3g}", value);
}

std::string bytes(double value) {
  constexpr std::array<std::string_view, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{} {}",
                     value == std::floor(value) ? fmt::format("{:.0f}", value) : digits(value),
                     units[unit]);
}

std::string bytes_per_s(double value) {
  if (value >= 1e9) {
    return digits(value / 1e9) + " GB/s";
  }
  return digits(value / 1e6) + " MB/s";
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) {
    return "—";
  }
  if (seconds < 1e-3) {
    return digits(seconds * 1e6) + " us";
  }
  if (seconds < 1) {
    return digits(seconds * 1e3) + " ms";
  }
  if (seconds < 120) {
    return digits(seconds) + " s";
  }
  if (seconds < 2 * 3600) {
    return digits(seconds / 60) + " min";
  }
  if (seconds < 96 * 3600) {
    return digits(seconds / 3600) + " h";
  }
  return digits(seconds / 86400) + " d";
}

std::string percent(double share) {
  return fmt::format("{:.0f}%", std::nearbyint(100 * share) + 0.0);  // never "-0%"
}

std::string money(double amount, const std::string& currency) {
  const bool fine = amount != 0 && std::abs(amount) < fine_below;
  const std::string shown = amount >= 1000 ? count(static_cast<std::uint64_t>(std::llround(amount)))
                            : fine         ? without_exponent(amount)
                                           : fmt::format("{:.2f}", amount);
  if (currency == "USD") {
    return "$" + shown;
  }
  return shown + " " + currency;
}

std::string fine_money(double amount, const std::string& currency) {
  if (!(amount > 0 && amount < 1)) {
    return money(amount, currency);
  }
  return currency == "USD" ? "$" + digits(amount) : digits(amount) + " " + currency;
}

std::string count(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::string count_of(std::uint64_t value, std::string_view noun) {
  return fmt::format("{} {}{}", count(value), noun, value == 1 ? "" : "s");
}

std::string number_of(double value, std::string_view noun) {
  return fmt::format("{} {}{}", axis_number(value), noun, value == 1 ? "" : "s");
}

std::string chance(double probability) {
  return probability <= 0.005 ? "<1%" : probability >= 0.995 ? ">99%" : percent(probability);
}

std::string four_digits(double value) {
  constexpr double exponents_from = 1e4;  // of %.4g
  if (!(value >= exponents_from)) {
    return fmt::format("{:.4g}", value);
  }
  const double step = std::pow(10, std::floor(std::log10(value)) - 3);
  return count(static_cast<std::uint64_t>(std::llround(value / step) * std::llround(step)));
}

std::string axis_number(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  if (whole && value >= 1000) {
    return count(static_cast<std::uint64_t>(value));
  }
  return fmt::format("{:.6g}", value);
}

}  // namespace rightsize::report
