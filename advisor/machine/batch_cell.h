// How cells of a batch file are read into the slots they are for.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "models/laws/spelling.h"

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

// As without the word: pandas' and JSON's too, and of a network's own or what a job may have or
// not.
[[nodiscard]] inline bool says_nothing(std::string_view text) {
  const auto word = bare(text);
  return word.empty() || word == "none" || word == "own" || word == "na" || word == "nan" ||
         word == "null";
}

[[nodiscard]] inline bool says_no(std::string_view text) {
  const auto word = bare(text);
  return word == "no" || word == "false" || word == "off" || word == "noshard" ||
         cell_number(text) == 0.0;
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
