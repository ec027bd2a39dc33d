// How cells of a batch file are read into the slots they are for.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace rightsize {

[[nodiscard]] inline std::optional<double> cell_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// A whole number in low..high, "4" or "4.0"; false when it is none.
template <typename Store>
bool read_count(std::string_view text, double low, double high, Store store) {
  const auto value = cell_number(text);
  if (!value || *value < low || *value > high || *value != std::floor(*value)) {
    return false;
  }
  store(static_cast<int>(*value));
  return true;
}

// False where there is none.
template <typename Value, typename Slot>
bool store_if(const std::optional<Value>& value, Slot& slot) {
  if (value) {
    slot = *value;
  }
  return value.has_value();
}

}  // namespace rightsize
