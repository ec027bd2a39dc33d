#include "kernels/gpu/emulated/tensor.h"

#include <algorithm>
#include <cmath>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <doctest/doctest.h>

#include "kernels/cpu/random.h"
#include "support/approx.h"

namespace rightsize::test {
namespace {

// Calls action with a pointer to the C++ type behind `type`.
template <typename Action>
void with_type(gpu::ElementType type, void* data, Action action) {
  switch (type) {
    case gpu::ElementType::f32:
      return action(static_cast<float*>(data));
    case gpu::ElementType::f16:
      return action(static_cast<__half*>(data));
    case gpu::ElementType::bf16:
      return action(static_cast<__nv_bfloat16*>(data));
  }
}

// Half the distance of `value` to its neighbours; a little more, as FP32 lies between.
double half_step(gpu::ElementType type, double value) {
  switch (type) {
    case gpu::ElementType::f32:
      return 0x1p-23 * std::abs(value);
    case gpu::ElementType::f16:  // below 2^-14 the steps are all alike
      return 1.01 * std::max(0x1p-11 * std::abs(value), 0x1p-25);
    case gpu::ElementType::bf16:
      return 1.01 * 0x1p-8 * std::abs(value);
  }
  return 0;
}

}  // namespace

DeviceTensor::DeviceTensor(gpu::ElementType type, std::int64_t count)
    : type_(type), count_(count), memory_(static_cast<std::size_t>(count) * gpu::bytes_of(type)) {}

DeviceTensor::DeviceTensor(gpu::ElementType type, const Values& values)
    : DeviceTensor(type, static_cast<std::int64_t>(values.size())) {
  with_type(type, data(), [&](auto* to) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      to[i] = static_cast<float>(values[i]);
    }
  });
}

Values DeviceTensor::values() const {
  memory_.check();
  Values result(static_cast<std::size_t>(count_));
  with_type(type_, data(), [&](const auto* from) {
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = static_cast<float>(from[i]);
    }
  });
  return result;
}

Values random_values(std::int64_t count, std::uint64_t seed) {
  const auto key = cpu::stream_key(seed, 77);
  Values result(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = 2.0 * static_cast<double>(cpu::uniform(key, i)) - 1.0;
  }
  return result;
}

std::vector<float> as_floats(const Values& values) {
  return std::vector<float>(values.begin(), values.end());
}

Values as_doubles(const std::vector<float>& values) {
  return Values(values.begin(), values.end());
}

void check_near(const Values& actual, const Values& expected, gpu::ElementType type, double scale) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double allowed = half_step(type, expected[i]) + 1e-5 * scale;
    if (!(std::abs(actual[i] - expected[i]) <= allowed)) {
      INFO("value " << i << " of " << actual.size() << ", type " << static_cast<int>(type));
      CHECK(actual[i] == test::approx(expected[i]).epsilon(allowed));
      FAIL("apart by more than " << allowed);
    }
  }
}

Values finite_differences(const std::function<Values(const Values&)>& function,
                          Values x,
                          const Values& dy) {
  constexpr double step = 1e-5;
  const auto loss = [&](const Values& at) {
    const auto y = function(at);
    REQUIRE(y.size() == dy.size());
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      sum += y[i] * dy[i];
    }
    return sum;
  };
  Values gradient(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double original = x[i];
    x[i] = original + step;
    const double above = loss(x);
    x[i] = original - step;
    gradient[i] = (above - loss(x)) / (2 * step);
    x[i] = original;
  }
  return gradient;
}

}  // namespace rightsize::test
