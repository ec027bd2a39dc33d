// Values of the libraries' element types in memory, read and written as float.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace rightsize::emulation {

enum class Width { f32, f16, bf16 };

[[nodiscard]] inline std::size_t bytes_of(Width type) {
  return type == Width::f32 ? 4 : 2;
}

[[nodiscard]] inline float value_at(const void* data, Width type, std::int64_t i) {
  switch (type) {
    case Width::f16:
      return __half2float(static_cast<const __half*>(data)[i]);
    case Width::bf16:
      return __bfloat162float(static_cast<const __nv_bfloat16*>(data)[i]);
    case Width::f32:
      break;
  }
  return static_cast<const float*>(data)[i];
}

inline void set_value(void* data, Width type, std::int64_t i, double value) {
  const auto narrow = static_cast<float>(value);
  switch (type) {
    case Width::f16:
      static_cast<__half*>(data)[i] = __float2half_rn(narrow);
      return;
    case Width::bf16:
      static_cast<__nv_bfloat16*>(data)[i] = __float2bfloat16_rn(narrow);
      return;
    case Width::f32:
      static_cast<float*>(data)[i] = narrow;
      return;
  }
}

}  // namespace rightsize::emulation
