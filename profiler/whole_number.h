// Digits and nothing else, as programs print counts and people write parts.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rightsize {

// nullopt for an empty text, a sign, a blank, or a number above 2^64 - 1.
[[nodiscard]] inline std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  return result.ec == std::errc() && result.ptr == end ? std::optional(number) : std::nullopt;
}

}  // namespace rightsize
