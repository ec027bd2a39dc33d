// convert.cu, copy.cu, bias.cu and dropout.cu: what moves values about.
#include <algorithm>
#include <cmath>
#include <tuple>

#include <doctest/doctest.h>

#include "kernels/cpu/random.h"
#include "kernels/gpu/emulated/tensor.h"
#include "kernels/gpu/kernels.h"

namespace rightsize::test {
namespace {

using gpu::TensorShape;

std::size_t at(
    const TensorShape& s, std::int64_t n, std::int64_t h, std::int64_t w, std::int64_t c) {
  return static_cast<std::size_t>(((n * s.h + h) * s.w + w) * s.c + c);
}

// Calls visit(n, h, w, c) for every place of a shape.
template <typename Visit>
void for_each_place(const TensorShape& s, Visit visit) {
  for (std::int64_t n = 0; n < s.n; ++n) {
    for (std::int64_t h = 0; h < s.h; ++h) {
      for (std::int64_t w = 0; w < s.w; ++w) {
        for (std::int64_t c = 0; c < s.c; ++c) {
          visit(n, h, w, c);
        }
      }
    }
  }
}

TEST_CASE("emulated kernels: images become channels last, rounded to the type") {
  for (auto type : all_types) {
    for (const auto& s : odd_shapes) {
      const DeviceArray<float> images(as_floats(random_values(s.elements(), 1)));
      const DeviceTensor out(type, s.elements());
      gpu::launch_images(images.data(), out.data(), type, s, nullptr);
      const auto planes = images.values();
      Values expected(planes.size());
      for_each_place(s, [&](auto n, auto h, auto w, auto c) {
        expected[at(s, n, h, w, c)] =
            planes[static_cast<std::size_t>(((n * s.c + c) * s.h + h) * s.w + w)];
      });
      check_near(out.values(), expected, type, 0);
    }
  }
}

TEST_CASE("emulated kernels: to a 16-bit type and back rounds once") {
  for (auto type : all_types) {
    const DeviceArray<float> in(as_floats(random_values(1003, 2)));
    const DeviceTensor narrow(type, 1003);
    const DeviceArray<float> back(1003);
    gpu::launch_from_float(in.data(), narrow.data(), type, 1003, nullptr);
    gpu::launch_to_float(narrow.data(), back.data(), type, 1003, nullptr);
    check_near(narrow.values(), as_doubles(in.values()), type, 0);
    CHECK(as_doubles(back.values()) == narrow.values());
  }
}

TEST_CASE(
    "emulated kernels: channels are copied out of and into wider rows, the others untouched") {
  struct Case {
    std::int64_t rows, channels, from_first, from_stride, to_first, to_stride;
  };
  for (auto type : all_types) {
    for (const Case& c :
         {Case{5, 3, 1, 7, 2, 6}, Case{37, 8, 8, 24, 16, 32}, Case{300, 16, 0, 16, 8, 40}}) {
      const DeviceTensor from(type, random_values(c.rows * c.from_stride, 3));
      const DeviceTensor to(type, random_values(c.rows * c.to_stride, 4));
      auto expected = to.values();
      const auto source = from.values();
      for (std::int64_t row = 0; row < c.rows; ++row) {
        for (std::int64_t k = 0; k < c.channels; ++k) {
          expected[static_cast<std::size_t>(row * c.to_stride + c.to_first + k)] =
              source[static_cast<std::size_t>(row * c.from_stride + c.from_first + k)];
        }
      }
      gpu::launch_copy_channels(from.data(),
                                {c.from_first, c.from_stride},
                                to.data(),
                                {c.to_first, c.to_stride},
                                type,
                                c.rows,
                                c.channels,
                                nullptr);
      CHECK(to.values() == expected);
    }
  }
}

TEST_CASE("emulated kernels: channels are dealt to other groups, and back") {
  for (auto type : all_types) {
    for (auto [rows, channels, groups] : {std::tuple{5, 6, 2}, {37, 48, 3}, {300, 7, 7}}) {
      const std::int64_t each = channels / groups;
      const DeviceTensor from(type, random_values(std::int64_t{rows} * channels, 3));
      const DeviceTensor to(type, std::int64_t{rows} * channels);
      const DeviceTensor back(type, std::int64_t{rows} * channels);
      gpu::launch_shuffle_channels(from.data(), to.data(), type, rows, channels, groups, nullptr);
      gpu::launch_shuffle_channels(to.data(), back.data(), type, rows, channels, each, nullptr);
      auto expected = from.values();
      const auto source = from.values();
      for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t i = 0; i < groups; ++i) {
          for (std::int64_t j = 0; j < each; ++j) {
            expected[static_cast<std::size_t>(row * channels + j * groups + i)] =
                source[static_cast<std::size_t>(row * channels + i * each + j)];
          }
        }
      }
      CHECK(to.values() == expected);
      CHECK(back.values() == source);
    }
  }
}

TEST_CASE("emulated kernels: images are framed by zeros and cropped") {
  for (auto type : all_types) {
    for (std::int64_t c : {3, 8, 16}) {
      for (auto [top, left] : {std::pair{-1, -2}, {2, 1}, {-3, 1}, {0, 0}}) {
        const TensorShape in{2, 6, 5, c};
        const TensorShape out{2, 7, 4, c};
        const DeviceTensor from(type, random_values(in.elements(), 5));
        const DeviceTensor to(type, out.elements());
        gpu::launch_copy_frame(from.data(), in, to.data(), out, top, left, type, nullptr);
        const auto source = from.values();
        Values expected(static_cast<std::size_t>(out.elements()));
        for_each_place(out, [&](auto n, auto h, auto w, auto k) {
          const bool inside = h + top >= 0 && h + top < in.h && w + left >= 0 && w + left < in.w;
          expected[at(out, n, h, w, k)] = inside ? source[at(in, n, h + top, w + left, k)] : 0;
        });
        CHECK(to.values() == expected);
      }
    }
  }
}

TEST_CASE("emulated kernels: a bias is added per channel, its gradient summed over the rows") {
  for (auto type : all_types) {
    for (const auto& s : odd_shapes) {
      for (bool relu : {false, true}) {
        const DeviceArray<float> bias(as_floats(random_values(s.c, 6)));
        const DeviceTensor y(type, random_values(s.elements(), 7));
        auto expected = y.values();
        for (std::size_t i = 0; i < expected.size(); ++i) {
          expected[i] += bias.values()[i % static_cast<std::size_t>(s.c)];
          expected[i] = relu ? std::max(expected[i], 0.0) : expected[i];
        }
        gpu::launch_bias(bias.data(), y.data(), type, s, relu, nullptr);
        check_near(y.values(), expected, type);
      }
      const DeviceTensor dy(type, random_values(s.elements(), 8));
      const DeviceArray<float> gradient(static_cast<std::size_t>(s.c));
      const DeviceArray<float> partials(static_cast<std::size_t>(gpu::partial_floats(s, 1)));
      gpu::launch_bias_gradient(dy.data(), gradient.data(), partials.data(), type, s, nullptr);
      Values sums(static_cast<std::size_t>(s.c));
      const auto arriving = dy.values();
      for (std::size_t i = 0; i < arriving.size(); ++i) {
        sums[i % static_cast<std::size_t>(s.c)] += arriving[i];
      }
      check_near(as_doubles(gradient.values()),
                 sums,
                 gpu::ElementType::f32,
                 std::sqrt(static_cast<double>(s.rows())));
      partials.check();
    }
  }
}

TEST_CASE("emulated kernels: a bias gradient of more rows than the grid has threads") {
  const TensorShape s{1, 300, 229, 3};
  const DeviceTensor dy(gpu::ElementType::f32,
                        Values(static_cast<std::size_t>(s.elements()), 0.25));
  const DeviceArray<float> gradient(3);
  const DeviceArray<float> partials(static_cast<std::size_t>(gpu::partial_floats(s, 1)));
  gpu::launch_bias_gradient(
      dy.data(), gradient.data(), partials.data(), gpu::ElementType::f32, s, nullptr);
  CHECK(gradient.values() == std::vector<float>(3, 300 * 229 * 0.25F));
}

TEST_CASE("emulated kernels: dropout draws the CPU engine's numbers, new ones each step") {
  constexpr std::int64_t count = 1501;
  constexpr float rate = 0.3F;
  for (auto type : all_types) {
    for (unsigned long long step : {0ULL, 1ULL}) {
      gpu::StepState state{};
      state.step = step;
      const DeviceArray<gpu::StepState> on_device(std::vector<gpu::StepState>{state});
      const DeviceTensor x(type, random_values(count, 9));
      const DeviceTensor y(type, count);
      gpu::launch_dropout(x.data(), y.data(), type, count, rate, 42, on_device.data(), nullptr);
      auto expected = x.values();
      const auto key = cpu::stream_key(42, step);
      int dropped = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const bool kept = cpu::uniform(key, i) >= rate;
        dropped += kept ? 0 : 1;
        expected[i] = kept ? expected[i] / (1 - static_cast<double>(rate)) : 0;
      }
      check_near(y.values(), expected, type);
      CHECK(dropped > count * 0.2);
      CHECK(dropped < count * 0.4);
    }
  }
}

}  // namespace
}  // namespace rightsize::test
