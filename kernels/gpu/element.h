// Element types of tensors on the device, and the shape of one: dense, channels last (NHWC).
#pragma once

#include <cstddef>
#include <cstdint>

namespace rightsize::gpu {

enum class ElementType { f32, f16, bf16 };

[[nodiscard]] constexpr std::size_t bytes_of(ElementType type) {
  return type == ElementType::f32 ? 4 : 2;
}

struct TensorShape {
  std::int64_t n = 0;
  std::int64_t h = 1;
  std::int64_t w = 1;
  std::int64_t c = 0;

  [[nodiscard]] constexpr std::int64_t rows() const { return n * h * w; }  // of c values each
  [[nodiscard]] constexpr std::int64_t elements() const { return rows() * c; }
};

// A tensor of a step: which planned buffer, and what lies in it.
struct Tensor {
  int buffer = -1;
  TensorShape shape;
  ElementType type = ElementType::f32;

  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(shape.elements()) * bytes_of(type);
  }
  explicit operator bool() const { return buffer >= 0; }
};

}  // namespace rightsize::gpu
