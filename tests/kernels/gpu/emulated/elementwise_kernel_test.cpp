// Sums, functions, products and gates, element by element; the .cu files of the same names.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <doctest/doctest.h>

#include "kernels/gpu/emulated/tensor.h"
#include "kernels/gpu/kernels.h"

namespace rightsize::test {
namespace {

using gpu::ElementType;

constexpr std::int64_t counts[] = {1, 3, 8, 255, 2051};

template <typename Function>
Values map(const Values& x, Function function) {
  Values y;
  for (double value : x) {
    y.push_back(function(value));
  }
  return y;
}

constexpr float alpha = 0.25F;

double apply(Activation function, double x) {
  const auto logistic = [](double v) { return 1 / (1 + std::exp(-v)); };
  switch (function) {
    case Activation::relu6:
      return std::min(std::max(x, 0.0), 6.0);
    case Activation::sigmoid:
      return logistic(x);
    case Activation::tanh:
      return std::tanh(x);
    case Activation::gelu:
      return x / 2 * (1 + std::erf(x / std::numbers::sqrt2));
    case Activation::gelu_tanh:
      return x / 2 *
             (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * std::pow(x, 3))));
    case Activation::silu:
      return x * logistic(x);
    case Activation::hard_sigmoid:
      return std::clamp(x / 6 + 0.5, 0.0, 1.0);
    case Activation::hard_swish:
      return x * std::clamp(x / 6 + 0.5, 0.0, 1.0);
    case Activation::leaky_relu:
      return x > 0 ? x : static_cast<double>(alpha) * x;
    case Activation::elu:
      return x > 0 ? x : static_cast<double>(alpha) * std::expm1(x);
    case Activation::squared_relu:
      return std::pow(std::max(x, 0.0), 2);
  }
  return 0;
}

constexpr Activation functions[] = {Activation::relu6,
                                    Activation::sigmoid,
                                    Activation::tanh,
                                    Activation::gelu,
                                    Activation::gelu_tanh,
                                    Activation::silu,
                                    Activation::hard_sigmoid,
                                    Activation::hard_swish,
                                    Activation::leaky_relu,
                                    Activation::elu,
                                    Activation::squared_relu};

TEST_CASE("emulated kernels: a sum, with and without ReLU, in place too") {
  for (auto type : all_types) {
    for (auto count : counts) {
      for (bool relu : {false, true}) {
        const DeviceTensor a(type, random_values(count, 1));
        const DeviceTensor b(type, random_values(count, 2));
        Values expected = a.values();
        const auto second = b.values();
        for (std::size_t i = 0; i < expected.size(); ++i) {
          expected[i] += second[i];
          expected[i] = relu ? std::max(expected[i], 0.0) : expected[i];
        }
        const DeviceTensor y(type, count);
        gpu::launch_add(a.data(), b.data(), y.data(), type, count, relu, nullptr);
        check_near(y.values(), expected, type);
        gpu::launch_add(a.data(), b.data(), a.data(), type, count, relu, nullptr);
        check_near(a.values(), expected, type);
      }
    }
  }
}

TEST_CASE(
    "emulated kernels: ReLU passes NaN on, its gradient passes where the output is positive") {
  for (auto type : all_types) {
    for (auto count : counts) {
      auto values = random_values(count, 3);
      values[0] = std::numeric_limits<double>::quiet_NaN();
      const DeviceTensor x(type, values);
      const DeviceTensor y(type, count);
      gpu::launch_relu(x.data(), y.data(), type, count, nullptr);
      CHECK(std::isnan(y.values()[0]));
      const DeviceTensor dy(type, random_values(count, 4));
      const DeviceTensor dx(type, count);
      gpu::launch_relu_backward(y.data(), dy.data(), dx.data(), type, count, nullptr);
      auto expected = dy.values();
      const auto in = x.values();
      const auto out = y.values();
      for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK((i == 0 || out[i] == std::max(in[i], 0.0)));
        expected[i] = in[i] > 0 ? expected[i] : 0;
      }
      check_near(dx.values(), expected, type, 0);
    }
  }
}

TEST_CASE("emulated kernels: every function and, by finite differences, its slope") {
  for (auto type : all_types) {
    for (auto function : functions) {
      for (auto count : counts) {
        const auto off_the_kinks = [](double v) {
          const double x = std::abs(7 * v);
          return std::abs(x - 6) < 0.1 || std::abs(x - 3) < 0.1 ? 5 : 7 * v;
        };
        const DeviceTensor x(type, map(random_values(count, 5), off_the_kinks));
        const auto in = x.values();
        const auto reference = [&](const Values& at) {
          return map(at, [&](double v) { return apply(function, v); });
        };
        const DeviceTensor y(type, count);
        gpu::launch_activation(function, alpha, x.data(), y.data(), type, count, nullptr);
        check_near(y.values(), reference(in), type);

        const DeviceTensor dy(type, random_values(count, 6));
        const DeviceTensor dx(type, count);
        const bool from_output = gpu::told_from_output(function);
        gpu::launch_activation_backward(function,
                                        alpha,
                                        from_output ? y.data() : x.data(),
                                        dy.data(),
                                        dx.data(),
                                        type,
                                        count,
                                        nullptr);
        Values expected = dy.values();
        for (std::size_t i = 0; i < expected.size(); ++i) {
          constexpr double step = 1e-5;
          expected[i] *=
              (apply(function, in[i] + step) - apply(function, in[i] - step)) / (2 * step);
        }
        // A slope told from a rounded output is as far off as the output was.
        check_near(dx.values(), expected, type, type == ElementType::f32 ? 1 : 1000);
      }
    }
  }
}

TEST_CASE("emulated kernels: products, in place too") {
  for (auto type : all_types) {
    for (auto count : counts) {
      const DeviceTensor a(type, random_values(count, 7));
      const DeviceTensor b(type, random_values(count, 8));
      auto expected = a.values();
      const auto second = b.values();
      for (std::size_t i = 0; i < expected.size(); ++i) {
        expected[i] *= second[i];
      }
      gpu::launch_multiply(a.data(), b.data(), b.data(), type, count, nullptr);
      check_near(b.values(), expected, type);
    }
  }
}

TEST_CASE("emulated kernels: a gate multiplies each channel of an item, and gathers its gradient") {
  for (auto type : all_types) {
    for (const auto& shape : odd_shapes) {
      const auto positions = shape.h * shape.w;
      const DeviceTensor x(type, random_values(shape.elements(), 9));
      const DeviceTensor gate(type, random_values(shape.n * shape.c, 10));
      const DeviceTensor dy(type, random_values(shape.elements(), 11));
      const DeviceTensor y(type, shape.elements());
      const DeviceTensor gradient(type, shape.n * shape.c);
      gpu::launch_gate(x.data(), gate.data(), y.data(), type, shape, nullptr);
      gpu::launch_gate_gradient(x.data(), dy.data(), gradient.data(), type, shape, nullptr);
      auto expected = x.values();
      const auto factors = gate.values();
      const auto arriving = dy.values();
      Values sums(factors.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const auto of = static_cast<std::size_t>(at / shape.c / positions * shape.c + at % shape.c);
        sums[of] += expected[i] * arriving[i];
        expected[i] *= factors[of];
      }
      check_near(y.values(), expected, type);
      check_near(gradient.values(), sums, type, std::sqrt(static_cast<double>(positions)));
    }
  }
}

}  // namespace
}  // namespace rightsize::test
