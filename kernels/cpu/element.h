// The element types of activations in our own kernels: float, and bfloat16 as oneDNN stores it.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/cpu/lowering.h"

namespace rightsize::cpu {

// The upper half of an FP32 number; rounds to nearest, ties to even.
class Bf16 {
 public:
  Bf16() = default;
  explicit Bf16(float value) {
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

template <typename Element>
[[nodiscard]] Element* elements(const Tensor& tensor) {
  return static_cast<Element*>(tensor.memory.get_data_handle());
}

// Calls visit with a value of the type's element.
template <typename Visit>
void with_element(dnnl::memory::data_type type, Visit visit) {
  type == dnnl::memory::data_type::bf16 ? visit(Bf16()) : visit(float());
}

}  // namespace rightsize::cpu
