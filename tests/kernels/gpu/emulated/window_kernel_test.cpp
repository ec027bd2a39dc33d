// pooling.cu and depthwise.cu: what slides a window over images.
#include <algorithm>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "kernels/gpu/emulated/tensor.h"
#include "kernels/gpu/window_kernels.h"

namespace rightsize::test {
namespace {

using gpu::ElementType;
using gpu::TensorShape;

struct WindowCase {
  TensorShape in;
  std::int64_t kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w, more_h, more_w;
  std::int64_t dilation_h = 1;
  std::int64_t dilation_w = 1;
};

constexpr WindowCase windows[] = {
    {{2, 5, 7, 3}, 3, 3, 2, 2, 1, 1, 0, 0},
    {{2, 6, 5, 8}, 2, 3, 2, 1, 0, 1, 0, 0},
    {{1, 4, 4, 5}, 3, 2, 1, 3, 0, 0, 1, 1},  // more padding behind than in front
    {{3, 1, 1, 4}, 1, 1, 1, 1, 0, 0, 0, 0},
    {{1, 7, 6, 12}, 3, 3, 3, 2, 1, 1, 0, 1},
};
constexpr WindowCase dilated[] = {
    {{2, 7, 8, 3}, 3, 2, 1, 2, 2, 1, 0, 0, 2, 3},
    {{1, 9, 6, 36}, 3, 3, 2, 1, 2, 1, 1, 0, 2, 1},
};

std::int64_t extent(std::int64_t in, std::int64_t pads, std::int64_t reach, std::int64_t stride) {
  return (in + pads - reach) / stride + 1;
}

TensorShape output(const WindowCase& w) {
  return {w.in.n,
          extent(w.in.h, 2 * w.pad_h + w.more_h, (w.kernel_h - 1) * w.dilation_h + 1, w.stride_h),
          extent(w.in.w, 2 * w.pad_w + w.more_w, (w.kernel_w - 1) * w.dilation_w + 1, w.stride_w),
          w.in.c};
}

Layer layer_of(const WindowCase& w, bool count_padding = false) {
  Layer layer;
  layer.kernel_h = w.kernel_h;
  layer.kernel_w = w.kernel_w;
  layer.stride_h = w.stride_h;
  layer.stride_w = w.stride_w;
  layer.pad_h = w.pad_h;
  layer.pad_w = w.pad_w;
  layer.more_pad_h = w.more_h;
  layer.more_pad_w = w.more_w;
  layer.dilation_h = w.dilation_h;
  layer.dilation_w = w.dilation_w;
  layer.count_padding = count_padding;
  layer.out = {w.in.c, output(w).h, output(w).w};
  return layer;
}

// Makes every output out of visit(output index, tap, input index) for its taps inside the image.
template <typename Visit>
void for_each_tap(const WindowCase& w, Visit visit) {
  const auto out = output(w);
  for (std::int64_t o = 0; o < out.elements(); ++o) {
    const auto c = o % out.c;
    const auto left = o / out.c % out.w * w.stride_w - w.pad_w;
    const auto top = o / out.c / out.w % out.h * w.stride_h - w.pad_h;
    const auto n = o / out.c / out.w / out.h;
    for (std::int64_t tap = 0; tap < w.kernel_h * w.kernel_w; ++tap) {
      const auto h = top + tap / w.kernel_w * w.dilation_h;
      const auto x = left + tap % w.kernel_w * w.dilation_w;
      if (h >= 0 && h < w.in.h && x >= 0 && x < w.in.w) {
        visit(static_cast<std::size_t>(o),
              static_cast<std::size_t>(tap),
              static_cast<std::size_t>(((n * w.in.h + h) * w.in.w + x) * w.in.c + c));
      }
    }
  }
}

Values largest(const Values& x, const WindowCase& w) {
  Values y(static_cast<std::size_t>(output(w).elements()),
           -std::numeric_limits<double>::infinity());
  for_each_tap(w, [&](auto o, auto, auto i) { y[o] = std::max(y[o], x[i]); });
  return y;
}

Values averages(const Values& x, const WindowCase& w, bool count_padding) {
  Values sums(static_cast<std::size_t>(output(w).elements()));
  Values inside(sums.size());
  for_each_tap(w, [&](auto o, auto, auto i) {
    sums[o] += x[i];
    inside[o] += 1;
  });
  for (std::size_t o = 0; o < sums.size(); ++o) {
    sums[o] /= count_padding ? static_cast<double>(w.kernel_h * w.kernel_w) : inside[o];
  }
  return sums;
}

Values convolved(const Values& x, const Values& weights, const WindowCase& w) {
  Values y(static_cast<std::size_t>(output(w).elements()));
  const auto area = static_cast<std::size_t>(w.kernel_h * w.kernel_w);
  for_each_tap(w, [&](auto o, auto tap, auto i) {
    y[o] += x[i] * weights[i % static_cast<std::size_t>(w.in.c) * area + tap];
  });
  return y;
}

TEST_CASE("emulated kernels: the largest of each window, and the gradient to where it was") {
  for (auto type : all_types) {
    for (const auto& w : windows) {
      const auto out = output(w);
      const DeviceTensor x(type, random_values(w.in.elements(), 41));
      const DeviceTensor y(type, out.elements());
      const DeviceTensor dy(type, random_values(out.elements(), 42));
      const DeviceTensor dx(type, w.in.elements());
      const DeviceArray<unsigned char> mask(static_cast<std::size_t>(out.elements()));
      const auto layer = layer_of(w);
      gpu::launch_max_pool(layer, x.data(), w.in, y.data(), out, mask.data(), type, nullptr);
      CHECK(y.values() == largest(x.values(), w));
      gpu::launch_max_pool_backward(
          layer, dy.data(), out, dx.data(), w.in, mask.data(), type, nullptr);
      mask.check();
      // By definition rather than by differences: at 16 bits many values are equal, and the first
      // of them gets the gradient.
      Values expected(static_cast<std::size_t>(w.in.elements()));
      const auto in = x.values();
      const auto best = y.values();
      const auto arriving = dy.values();
      std::vector<bool> given(best.size());
      for_each_tap(w, [&](auto o, auto, auto i) {
        if (in[i] == best[o] && !given[o]) {
          given[o] = true;
          expected[i] += arriving[o];
        }
      });
      check_near(dx.values(), expected, type);
    }
  }
}

TEST_CASE("emulated kernels: averages with and without padding, their gradient by differences") {
  for (auto type : all_types) {
    for (const auto& w : windows) {
      for (bool count_padding : {false, true}) {
        const auto out = output(w);
        const DeviceTensor x(type, random_values(w.in.elements(), 43));
        const DeviceTensor y(type, out.elements());
        const DeviceTensor dy(type, random_values(out.elements(), 44));
        const DeviceTensor dx(type, w.in.elements());
        const auto layer = layer_of(w, count_padding);
        gpu::launch_average_pool(layer, x.data(), w.in, y.data(), out, type, nullptr);
        gpu::launch_average_pool_backward(layer, dy.data(), out, dx.data(), w.in, type, nullptr);
        const auto function = [&](const Values& at) { return averages(at, w, count_padding); };
        check_near(y.values(), function(x.values()), type);
        check_near(dx.values(), finite_differences(function, x.values(), dy.values()), type);
      }
    }
  }
}

void check_depthwise(const WindowCase& w, ElementType type) {
  const auto out = output(w);
  const auto area = w.kernel_h * w.kernel_w;
  const DeviceTensor x(type, random_values(w.in.elements(), 45));
  const DeviceTensor weights(type, random_values(w.in.c * area, 46));
  const DeviceArray<float> bias(as_floats(random_values(w.in.c, 47)));
  const DeviceTensor y(type, out.elements());
  const DeviceTensor dy(type, random_values(out.elements(), 48));
  const DeviceTensor dx(type, w.in.elements());
  const DeviceTensor dweights(type, w.in.c * area);
  const auto layer = layer_of(w);
  const DeviceArray<float> partials(static_cast<std::size_t>(gpu::depthwise_partial_floats(layer)));

  const gpu::DepthwiseTensors forward{x.data(), w.in, weights.data(), y.data(), out};
  gpu::launch_depthwise(layer, forward, nullptr, type, false, nullptr);
  check_near(y.values(), convolved(x.values(), weights.values(), w), type);
  gpu::launch_depthwise(layer, forward, bias.data(), type, true, nullptr);
  auto expected = convolved(x.values(), weights.values(), w);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expected[i] = std::max(0.0, expected[i] + bias.values()[i % static_cast<std::size_t>(w.in.c)]);
  }
  check_near(y.values(), expected, type);

  gpu::launch_depthwise_backward_data(
      layer, {dx.data(), w.in, weights.data(), dy.data(), out}, type, nullptr);
  gpu::launch_depthwise_backward_filter(
      layer, {x.data(), w.in, dweights.data(), dy.data(), out}, partials.data(), type, nullptr);
  partials.check();
  const auto by_x = [&](const Values& at) { return convolved(at, weights.values(), w); };
  const auto by_weights = [&](const Values& at) { return convolved(x.values(), at, w); };
  check_near(dx.values(), finite_differences(by_x, x.values(), dy.values()), type);
  check_near(dweights.values(),
             finite_differences(by_weights, weights.values(), dy.values()),
             type,
             std::sqrt(static_cast<double>(out.rows())));
}

TEST_CASE("emulated kernels: depthwise convolutions and, by differences, both gradients") {
  for (auto type : all_types) {
    for (const auto& w : windows) {
      check_depthwise(w, type);
    }
    for (const auto& w : dilated) {
      check_depthwise(w, type);
    }
  }
}

TEST_CASE("emulated kernels: a depthwise filter gradient of more rows than its blocks have turns") {
  const WindowCase w{{1, 40, 37, 3}, 1, 1, 1, 1, 0, 0, 0, 0};
  const Values ones(static_cast<std::size_t>(w.in.elements()), 1.0);
  const DeviceTensor x(ElementType::f32, ones);
  const DeviceTensor dy(ElementType::f32, ones);
  const DeviceTensor dweights(ElementType::f32, 3);
  const auto layer = layer_of(w);
  const DeviceArray<float> partials(static_cast<std::size_t>(gpu::depthwise_partial_floats(layer)));
  gpu::launch_depthwise_backward_filter(layer,
                                        {x.data(), w.in, dweights.data(), dy.data(), output(w)},
                                        partials.data(),
                                        ElementType::f32,
                                        nullptr);
  CHECK(dweights.values() == Values(3, 40.0 * 37.0));
}

}  // namespace
}  // namespace rightsize::test
