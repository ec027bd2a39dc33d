// Names for runs that depend on nothing but what was asked: the same on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace rightsize {

// Fowler, Noll, Vo: FNV-1a, 64 bit (draft-eastlake-fnv).
[[nodiscard]] constexpr std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

// 16 hex digits.
[[nodiscard]] inline std::string content_id(std::string_view text) {
  return fmt::format("{:016x}", fnv1a(text));
}

}  // namespace rightsize
