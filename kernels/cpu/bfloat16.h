// The 16-bit type of activations in BF16, for loops of our own: the upper half of a float.
#pragma once

#include <bit>
#include <cstdint>

namespace rightsize::cpu {

struct Bfloat16 {
  std::uint16_t bits = 0;
};

inline float to_float(float value) {
  return value;
}

inline float to_float(Bfloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

// To the nearest, ties to even. A NaN stays one only if its upper half says so.
inline void store(float value, float& target) {
  target = value;
}

inline void store(float value, Bfloat16& target) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  target.bits = static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

}  // namespace rightsize::cpu
