// bfloat16 as oneDNN stores it, for our own kernels.
#pragma once

#include <bit>
#include <cstdint>

namespace rightsize::cpu {

// The upper half of an FP32 number; rounds to nearest, ties to even.
class Bf16 {
 public:
  Bf16() = default;
  explicit Bf16(float value) { set(value); }
  void set(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    bits_ = static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
  }
  explicit operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16);
  }

 private:
  std::uint16_t bits_ = 0;
};
static_assert(sizeof(Bf16) == 2);

// For loops that shall be vectorised: GCC does not when a Bf16 is made and then assigned.
inline void store(float value, float& out) {
  out = value;
}
inline void store(float value, Bf16& out) {
  out.set(value);
}

}  // namespace rightsize::cpu
