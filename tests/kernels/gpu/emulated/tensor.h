// What the tests of emulated kernels share: tensors in fenced memory, values to fill them with, and
// the comparison with a float64 reference.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/gpu/element.h"
#include "kernels/gpu/emulation/device_memory.h"

namespace rightsize::test {

using Values = std::vector<double>;

inline constexpr gpu::ElementType all_types[] = {
    gpu::ElementType::f32, gpu::ElementType::f16, gpu::ElementType::bf16};

// Shapes that leave a remainder everywhere, one that is wide, one of many rows, and a single value.
inline constexpr gpu::TensorShape odd_shapes[] = {
    {2, 3, 5, 7}, {3, 4, 2, 8}, {1, 1, 1, 1}, {2, 2, 3, 33}, {5, 1, 1, 16}, {1, 37, 41, 5}};

// Of a kernel's element type.
class DeviceTensor {
 public:
  DeviceTensor(gpu::ElementType type, std::int64_t count);    // of NaN
  DeviceTensor(gpu::ElementType type, const Values& values);  // rounded to the type

  [[nodiscard]] void* data() const { return memory_.data(); }
  [[nodiscard]] Values values() const;  // throws where a kernel wrote beyond it

 private:
  gpu::ElementType type_;
  std::int64_t count_;
  emulation::DeviceMemory memory_;
};

// Of plain values: masters, masks, labels, tables.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count), memory_(count * sizeof(T)) {}
  DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    std::copy(values.begin(), values.end(), data());
  }

  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(memory_.data()); }
  void check() const { memory_.check(); }  // throws where a kernel wrote beyond it
  [[nodiscard]] std::vector<T> values() const {
    check();
    return std::vector<T>(data(), data() + count_);
  }

 private:
  std::size_t count_;
  emulation::DeviceMemory memory_;
};

[[nodiscard]] Values random_values(std::int64_t count, std::uint64_t seed);  // in (-1, 1)
[[nodiscard]] std::vector<float> as_floats(const Values& values);
[[nodiscard]] Values as_doubles(const std::vector<float>& values);

// |actual - expected| <= half a step of the type at `expected` + 1e-5 x scale, where `scale` is the
// size of what was added up in FP32. Fails a CHECK that names the first value apart.
void check_near(const Values& actual,
                const Values& expected,
                gpu::ElementType type,
                double scale = 1);

// The gradient of sum(dy * function(x)) by central differences, in float64.
[[nodiscard]] Values finite_differences(const std::function<Values(const Values&)>& function,
                                        Values x,
                                        const Values& dy);

}  // namespace rightsize::test
