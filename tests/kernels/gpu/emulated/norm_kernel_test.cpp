// norm_forward.cu, norm_backward.cu and lrn.cu.
#include <algorithm>
#include <cmath>
#include <optional>

#include <doctest/doctest.h>

#include "kernels/gpu/emulated/tensor.h"
#include "kernels/gpu/kernels.h"
#include "support/approx.h"

namespace rightsize::test {
namespace {

using gpu::ElementType;
using gpu::TensorShape;

constexpr float epsilon = 1e-3F;

// The parameters of one batch normalisation in device memory.
struct Norm {
  explicit Norm(std::int64_t channels)
      : scale(as_floats(random_values(channels, 21))),
        shift(as_floats(random_values(channels, 22))),
        running_mean(std::vector<float>(static_cast<std::size_t>(channels), 0.5F)),
        running_variance(std::vector<float>(static_cast<std::size_t>(channels), 2.0F)),
        mean(static_cast<std::size_t>(channels)),
        inverse_std(static_cast<std::size_t>(channels)) {}

  [[nodiscard]] gpu::NormParameters parameters() const {
    return {scale.data(),
            shift.data(),
            running_mean.data(),
            running_variance.data(),
            mean.data(),
            inverse_std.data(),
            epsilon};
  }

  DeviceArray<float> scale, shift, running_mean, running_variance, mean, inverse_std;
};

struct Moments {
  Values mean, variance;
};

Moments moments(const Values& x, std::size_t channels) {
  Moments m{Values(channels), Values(channels)};
  const auto rows = static_cast<double>(x.size() / channels);
  for (std::size_t i = 0; i < x.size(); ++i) {
    m.mean[i % channels] += x[i] / rows;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    m.variance[i % channels] += std::pow(x[i] - m.mean[i % channels], 2) / rows;
  }
  return m;
}

// relu?(norm(x) + z?)
Values normalised(const Values& x,
                  const Moments& m,
                  const Values& scale,
                  const Values& shift,
                  const Values& z,
                  bool relu) {
  const auto channels = scale.size();
  Values y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto c = i % channels;
    y[i] = (x[i] - m.mean[c]) / std::sqrt(m.variance[c] + static_cast<double>(epsilon)) * scale[c] +
           shift[c] + (z.empty() ? 0 : z[i]);
    y[i] = relu ? std::max(y[i], 0.0) : y[i];
  }
  return y;
}

TEST_CASE("emulated kernels: batch normalisation by the batch's moments, which it keeps") {
  for (auto type : all_types) {
    for (const auto& shape : odd_shapes) {
      for (int variant = 0; variant < 4; ++variant) {
        const bool relu = variant % 2 != 0;
        const auto channels = static_cast<std::size_t>(shape.c);
        auto values = random_values(shape.elements(), 23);
        for (auto& value : values) {
          value += 20;  // far from zero, where the variance is easily lost
        }
        const DeviceTensor x(type, values);
        const DeviceTensor z(type, random_values(shape.elements(), 24));
        const bool addend = variant / 2 != 0;
        const DeviceTensor y(type, shape.elements());
        const Norm norm(shape.c);
        const DeviceArray<float> partials(static_cast<std::size_t>(gpu::partial_floats(shape, 2)));
        gpu::launch_norm_training(x.data(),
                                  addend ? z.data() : nullptr,
                                  y.data(),
                                  norm.parameters(),
                                  partials.data(),
                                  type,
                                  shape,
                                  relu,
                                  nullptr);
        const auto m = moments(x.values(), channels);
        const auto expected = normalised(x.values(),
                                         m,
                                         as_doubles(norm.scale.values()),
                                         as_doubles(norm.shift.values()),
                                         addend ? z.values() : Values{},
                                         relu);
        // FP32 takes slope x + offset with both large: 20 / standard deviation.
        check_near(y.values(), expected, type, 20 / std::sqrt(static_cast<double>(epsilon)));
        check_near(as_doubles(norm.mean.values()), m.mean, ElementType::f32);
        const auto rows = static_cast<double>(shape.rows());
        for (std::size_t c = 0; c < channels; ++c) {
          const double unbiased = rows > 1 ? m.variance[c] * rows / (rows - 1) : m.variance[c];
          CHECK(norm.running_mean.values()[c] ==
                test::approx(0.9 * 0.5 + 0.1 * m.mean[c]).epsilon(1e-5));
          CHECK(norm.running_variance.values()[c] ==
                test::approx(0.9 * 2.0 + 0.1 * unbiased).epsilon(1e-5));
        }
      }
    }
  }
}

TEST_CASE("emulated kernels: batch normalisation by the running moments") {
  for (auto type : all_types) {
    for (const auto& shape : odd_shapes) {
      const auto channels = static_cast<std::size_t>(shape.c);
      const DeviceTensor x(type, random_values(shape.elements(), 25));
      const DeviceTensor y(type, shape.elements());
      const Norm norm(shape.c);
      gpu::launch_norm_inference(
          x.data(), nullptr, y.data(), norm.parameters(), type, shape, true, nullptr);
      const Moments m{Values(channels, 0.5), Values(channels, 2.0)};
      check_near(y.values(),
                 normalised(x.values(),
                            m,
                            as_doubles(norm.scale.values()),
                            as_doubles(norm.shift.values()),
                            {},
                            true),
                 type);
    }
  }
}

// What the backward pass answers for one shape: gradients by x, addend, scale and shift.
struct BackwardCase {
  TensorShape shape;
  ElementType type;
  bool addend;
  bool relu;
};

void check_backward(const BackwardCase& test) {
  const auto& [shape, type, addend, relu] = test;
  const auto channels = static_cast<std::size_t>(shape.c);
  const DeviceTensor x(type, random_values(shape.elements(), 26));
  const DeviceTensor z(type, random_values(shape.elements(), 27));
  const DeviceTensor dy(type, random_values(shape.elements(), 28));
  const DeviceTensor y(type, shape.elements());
  const DeviceTensor dx(type, shape.elements());
  const DeviceTensor dz(type, shape.elements());
  const Norm norm(shape.c);
  const DeviceArray<float> partials(static_cast<std::size_t>(gpu::partial_floats(shape, 2)));
  const DeviceArray<float> dscale(channels);
  const DeviceArray<float> dshift(channels);
  const auto p = norm.parameters();
  gpu::launch_norm_training(x.data(),
                            addend ? z.data() : nullptr,
                            y.data(),
                            p,
                            partials.data(),
                            type,
                            shape,
                            relu,
                            nullptr);
  const bool keeps = addend && relu;
  gpu::launch_norm_backward(x.data(),
                            p,
                            {keeps ? y.data() : nullptr,
                             dy.data(),
                             dx.data(),
                             keeps ? dz.data() : nullptr,
                             dscale.data(),
                             dshift.data()},
                            partials.data(),
                            type,
                            shape,
                            relu,
                            nullptr);
  const auto scale = as_doubles(norm.scale.values());
  const auto shift = as_doubles(norm.shift.values());
  const auto other = addend ? z.values() : Values{};
  const auto by_x = [&](const Values& at) {
    return normalised(at, moments(at, channels), scale, shift, other, relu);
  };
  const auto m = moments(x.values(), channels);
  const auto by_scale = [&](const Values& at) {
    return normalised(x.values(), m, at, shift, other, relu);
  };
  const auto by_shift = [&](const Values& at) {
    return normalised(x.values(), m, scale, at, other, relu);
  };
  const auto rows = static_cast<double>(shape.rows());
  check_near(dx.values(), finite_differences(by_x, x.values(), dy.values()), type, 20);
  check_near(as_doubles(dscale.values()),
             finite_differences(by_scale, scale, dy.values()),
             ElementType::f32,
             rows);
  check_near(as_doubles(dshift.values()),
             finite_differences(by_shift, shift, dy.values()),
             ElementType::f32,
             rows);
  if (keeps) {
    const auto by_z = [&](const Values& at) {
      return normalised(x.values(), m, scale, shift, at, relu);
    };
    check_near(dz.values(), finite_differences(by_z, z.values(), dy.values()), type);
  }
}

TEST_CASE("emulated kernels: the gradients of batch normalisation, by finite differences") {
  constexpr TensorShape shapes[] = {{2, 3, 5, 7}, {3, 4, 2, 8}, {2, 2, 3, 33}, {5, 1, 1, 16}};
  for (auto type : all_types) {
    for (const auto& shape : shapes) {
      check_backward({shape, type, false, false});
      check_backward({shape, type, false, true});
      check_backward({shape, type, true, false});
      // At 16 bits the addend's gradient is the rounded one that dx is then made of.
      check_backward({shape, type, true, true});
    }
  }
}

Layer lrn_layer(std::int64_t size) {
  Layer layer;
  layer.lrn_size = size;
  layer.lrn_alpha = 0.9F;
  layer.lrn_beta = 0.75F;
  layer.lrn_k = 1.5F;
  return layer;
}

Values responses(const Values& x, const Layer& layer, const TensorShape& shape) {
  Values y(x.size());
  const auto half = layer.lrn_size / 2;
  for (std::int64_t i = 0; i < shape.elements(); ++i) {
    double squares = 0;
    for (std::int64_t c = i % shape.c - half; c <= i % shape.c + half; ++c) {
      const auto at = i - i % shape.c + c;
      squares += c >= 0 && c < shape.c ? std::pow(x[static_cast<std::size_t>(at)], 2) : 0;
    }
    const double s = static_cast<double>(layer.lrn_k) + static_cast<double>(layer.lrn_alpha) /
                                                            static_cast<double>(layer.lrn_size) *
                                                            squares;
    y[static_cast<std::size_t>(i)] =
        x[static_cast<std::size_t>(i)] * std::pow(s, -static_cast<double>(layer.lrn_beta));
  }
  return y;
}

TEST_CASE("emulated kernels: local responses and, by finite differences, their gradient") {
  for (auto type : all_types) {
    for (const auto& shape :
         {TensorShape{2, 3, 2, 7}, TensorShape{1, 2, 2, 16}, TensorShape{3, 1, 1, 2}}) {
      for (std::int64_t size : {3, 5}) {
        const auto layer = lrn_layer(size);
        const DeviceTensor x(type, random_values(shape.elements(), 31));
        const DeviceTensor y(type, shape.elements());
        const DeviceTensor dy(type, random_values(shape.elements(), 32));
        const DeviceTensor dx(type, shape.elements());
        const DeviceArray<float> scale(static_cast<std::size_t>(shape.elements()));
        gpu::launch_local_response_norm(
            layer, x.data(), y.data(), scale.data(), type, shape, nullptr);
        check_near(y.values(), responses(x.values(), layer, shape), type);
        gpu::launch_local_response_norm_backward(
            layer, x.data(), y.data(), scale.data(), dy.data(), dx.data(), type, shape, nullptr);
        const auto function = [&](const Values& at) { return responses(at, layer, shape); };
        // y is read back rounded.
        check_near(dx.values(),
                   finite_differences(function, x.values(), dy.values()),
                   type,
                   type == ElementType::f32 ? 1 : 200);
      }
    }
  }
}

}  // namespace
}  // namespace rightsize::test
