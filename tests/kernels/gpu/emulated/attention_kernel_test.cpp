// attention_forward.cu and attention_backward.cu against attention as it is defined, in float64. On
// the host the products run by plain arithmetic: tensor cores are not seen.
#include <cmath>

#include <doctest/doctest.h>

#include "kernels/gpu/attention_kernels.h"
#include "kernels/gpu/emulated/attention_reference.h"
#include "kernels/gpu/emulated/tensor.h"

namespace rightsize::test {
namespace {

using gpu::AttentionSizes;
using gpu::ElementType;

// Heads that fill 64 or 128 features and heads that do not, grouped or not; sequences of a part of
// a block, of several, and with a remainder; windows.
const AttentionSizes cases[] = {sizes_of(2, 5, 2, 2, 8, false),
                                sizes_of(1, 70, 2, 1, 16, true),
                                sizes_of(1, 33, 4, 2, 64, true),
                                sizes_of(1, 97, 1, 1, 20, false),
                                sizes_of(1, 40, 1, 1, 128, true),
                                sizes_of(2, 18, 2, 1, 70, false),
                                sizes_of(1, 1, 1, 1, 5, true),
                                sizes_of(1, 150, 2, 1, 16, true, 1),
                                sizes_of(1, 150, 2, 1, 16, true, 40),
                                sizes_of(2, 97, 2, 2, 70, true, 64),
                                sizes_of(1, 150, 2, 1, 16, false, 1),
                                sizes_of(1, 150, 2, 1, 16, false, 41),
                                sizes_of(2, 97, 2, 2, 70, false, 65),
                                sizes_of(1, 40, 1, 1, 16, false, 129)};

TEST_CASE("emulated kernels: attention and the log-sum-exp of its scores") {
  for (auto type : all_types) {
    for (const auto& sizes : cases) {
      CAPTURE(sizes.positions);
      CAPTURE(sizes.head_dim);
      const DeviceTensor packed(type, random_values(packed_count(sizes), 81));
      const DeviceTensor out(type, sizes.items * sizes.positions * sizes.width());
      const DeviceArray<float> lse(index(sizes.items * sizes.heads * sizes.positions));
      gpu::launch_attention(packed.data(), out.data(), lse.data(), type, sizes, nullptr);
      const auto expected = attention(packed.values(), sizes);
      check_near(out.values(), expected.out, type, rounding(type));
      check_near(as_doubles(lse.values()), expected.lse, ElementType::f32, 5);
    }
  }
}

// d sum(dy out) / d packed by the formulas in attention_kernels.h, in float64.
Values attention_gradient(const Values& packed, const Values& dy, const AttentionSizes& sizes) {
  const auto forward = attention(packed, sizes);
  const auto width = sizes.packed_width();
  const auto scale = static_cast<double>(sizes.scale);
  Values gradient(packed.size(), 0);
  for (std::int64_t n = 0; n < sizes.items; ++n) {
    const auto item = n * sizes.positions * width;
    for (int h = 0; h < sizes.heads; ++h) {
      const int kv = h / sizes.group();
      for (std::int64_t t = 0; t < sizes.positions; ++t) {
        const auto q = item + t * width + sizes.query(h);
        const auto o = (n * sizes.positions + t) * sizes.width() + sizes.query(h);
        double delta = 0;
        for (int c = 0; c < sizes.head_dim; ++c) {
          delta += dy[index(o + c)] * forward.out[index(o + c)];
        }
        const Seen seen(sizes, t);
        for (std::int64_t j = seen.begin; j < seen.end; ++j) {
          const auto k = item + j * width + sizes.key(kv);
          const auto v = item + j * width + sizes.value(kv);
          double score = 0;
          double share_gradient = 0;
          for (int c = 0; c < sizes.head_dim; ++c) {
            score += packed[index(q + c)] * packed[index(k + c)];
            share_gradient += dy[index(o + c)] * packed[index(v + c)];
          }
          const double share = std::exp(
              score * scale - forward.lse[index((n * sizes.heads + h) * sizes.positions + t)]);
          const double by_score = share * (share_gradient - delta) * scale;
          for (int c = 0; c < sizes.head_dim; ++c) {
            gradient[index(q + c)] += by_score * packed[index(k + c)];
            gradient[index(k + c)] += by_score * packed[index(q + c)];
            gradient[index(v + c)] += share * dy[index(o + c)];
          }
        }
      }
    }
  }
  return gradient;
}

TEST_CASE("emulated kernels: the reference gradient of attention is that of finite differences") {
  const auto sizes = sizes_of(1, 6, 2, 1, 4, true);
  const auto packed = random_values(packed_count(sizes), 82);
  const auto dy = random_values(sizes.positions * sizes.width(), 83);
  const auto function = [&](const Values& at) { return attention(at, sizes).out; };
  check_near(attention_gradient(packed, dy, sizes),
             finite_differences(function, packed, dy),
             ElementType::f32);
}

TEST_CASE("emulated kernels: gradients of queries, keys and values") {
  for (auto type : all_types) {
    for (const auto& sizes : cases) {
      CAPTURE(sizes.positions);
      CAPTURE(sizes.head_dim);
      const auto rows = sizes.items * sizes.positions;
      const DeviceTensor packed(type, random_values(packed_count(sizes), 84));
      const DeviceTensor out(type, rows * sizes.width());
      const DeviceArray<float> lse(index(rows * sizes.heads));
      gpu::launch_attention(packed.data(), out.data(), lse.data(), type, sizes, nullptr);
      const DeviceTensor dy(type, random_values(rows * sizes.width(), 85));
      const DeviceArray<float> delta(index(rows * sizes.heads));
      const DeviceTensor gradient(type, packed_count(sizes));
      gpu::launch_attention_backward(
          {packed.data(), out.data(), lse.data(), dy.data(), delta.data(), gradient.data()},
          type,
          sizes,
          nullptr);
      delta.check();
      const auto expected = attention_gradient(packed.values(), dy.values(), sizes);
      check_near(gradient.values(), expected, type, 4 * rounding(type));
    }
  }
}

TEST_CASE("emulated kernels: queries and keys turn by their position, and back in place") {
  for (auto type : all_types) {
    for (const auto& sizes : {sizes_of(2, 5, 3, 1, 6, true), sizes_of(1, 9, 2, 2, 16, true)}) {
      const DeviceArray<float> table(some_table(sizes));
      const DeviceTensor packed(type, random_values(packed_count(sizes), 86));
      const DeviceTensor to(type, packed_count(sizes));
      gpu::launch_rotate(packed.data(), table.data(), to.data(), type, sizes, false, nullptr);
      check_near(to.values(), turned(packed.values(), table.values(), sizes), type);
      gpu::launch_rotate(to.data(), table.data(), to.data(), type, sizes, true, nullptr);
      check_near(to.values(), packed.values(), type, type == ElementType::f32 ? 1 : 1000);
    }
  }
}

}  // namespace
}  // namespace rightsize::test
