// attention_forward.cu, attention_backward.cu and attention_decode.cu against attention as it is
// defined, in float64. On the host the products run by plain arithmetic: tensor cores are not seen.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "kernels/gpu/attention_kernels.h"
#include "kernels/gpu/emulated/tensor.h"

namespace rightsize::test {
namespace {

using gpu::AttentionSizes;
using gpu::ElementType;

std::size_t index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

AttentionSizes sizes_of(std::int64_t items,
                        std::int64_t positions,
                        int heads,
                        int kv_heads,
                        int head_dim,
                        bool causal,
                        std::int64_t window = 0) {
  return {items,
          positions,
          heads,
          kv_heads,
          head_dim,
          causal,
          1.0F / std::sqrt(static_cast<float>(head_dim)),
          window};
}

struct Attended {
  Values out, lse;
};

// The keys that position t sees, by the definition: [begin, end).
struct Seen {
  Seen(const AttentionSizes& sizes, std::int64_t t)
      : begin(sizes.window > 0 ? std::max<std::int64_t>(0, t + 1 - sizes.window) : 0),
        end(sizes.causal ? t + 1 : sizes.positions) {}
  std::int64_t begin, end;
};

// Query row `t` of one head against `keys` rows; adds its weighted values to `out`, returns the
// log-sum-exp. Rows lie `stride` apart.
double attend_row(const double* query,
                  const double* keys,
                  const double* values,
                  std::int64_t stride,
                  const Seen& seen,
                  const AttentionSizes& sizes,
                  double* out) {
  std::vector<double> shares;
  double sum = 0;
  for (std::int64_t j = seen.begin; j < seen.end; ++j) {
    double score = 0;
    for (int c = 0; c < sizes.head_dim; ++c) {
      score += query[c] * keys[j * stride + c];
    }
    shares.push_back(std::exp(score * static_cast<double>(sizes.scale)));
    sum += shares.back();
  }
  for (std::int64_t j = seen.begin; j < seen.end; ++j) {
    for (int c = 0; c < sizes.head_dim; ++c) {
      out[c] += shares[index(j - seen.begin)] / sum * values[j * stride + c];
    }
  }
  return std::log(sum);
}

Attended attention(const Values& packed, const AttentionSizes& sizes) {
  Attended result{Values(index(sizes.items * sizes.positions * sizes.width()), 0),
                  Values(index(sizes.items * sizes.heads * sizes.positions))};
  const auto width = sizes.packed_width();
  for (std::int64_t n = 0; n < sizes.items; ++n) {
    const double* const item = packed.data() + n * sizes.positions * width;
    for (int h = 0; h < sizes.heads; ++h) {
      const int kv = h / sizes.group();
      for (std::int64_t t = 0; t < sizes.positions; ++t) {
        double* const out =
            result.out.data() + (n * sizes.positions + t) * sizes.width() + sizes.query(h);
        result.lse[index((n * sizes.heads + h) * sizes.positions + t)] =
            attend_row(item + t * width + sizes.query(h),
                       item + sizes.key(kv),
                       item + sizes.value(kv),
                       width,
                       Seen(sizes, t),
                       sizes,
                       out);
      }
    }
  }
  return result;
}

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
                                sizes_of(2, 97, 2, 2, 70, true, 64)};

std::int64_t packed_count(const AttentionSizes& sizes) {
  return sizes.items * sizes.positions * sizes.packed_width();
}

// Of shares and sums that are rounded to the type in between.
double rounding(ElementType type) {
  return type == ElementType::f32 ? 2 : (type == ElementType::f16 ? 200 : 1600);
}

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

// cosines, then sines, of position t times a frequency of each pair.
std::vector<float> some_table(const AttentionSizes& sizes) {
  std::vector<float> table;
  for (std::int64_t t = 0; t < sizes.positions; ++t) {
    for (int i = 0; i < sizes.head_dim; ++i) {
      const double angle = static_cast<double>(t) * std::pow(0.3, i % (sizes.head_dim / 2));
      table.push_back(
          static_cast<float>(i < sizes.head_dim / 2 ? std::cos(angle) : std::sin(angle)));
    }
  }
  return table;
}

Values turned(const Values& packed, const std::vector<float>& table, const AttentionSizes& sizes) {
  auto result = packed;
  const int half = sizes.head_dim / 2;
  for (std::int64_t row = 0; row < sizes.items * sizes.positions; ++row) {
    const float* const turn = table.data() + row % sizes.positions * sizes.head_dim;
    for (int head = 0; head < sizes.heads + sizes.kv_heads; ++head) {
      for (int i = 0; i < half; ++i) {
        const auto a = index(row * sizes.packed_width() + sizes.query(head) + i);
        const auto b = a + index(half);
        const auto cosine = static_cast<double>(turn[i]);
        const auto sine = static_cast<double>(turn[half + i]);
        result[a] = packed[a] * cosine - packed[b] * sine;
        result[b] = packed[b] * cosine + packed[a] * sine;
      }
    }
  }
  return result;
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

struct DecodeCase {
  AttentionSizes sizes;
  int prompt;
  bool turns;
};

// Positions one by one, from behind a prompt that another run of the kernel would have left there.
TEST_CASE("emulated kernels: one position at a time against a cache") {
  for (auto type : all_types) {
    for (const auto& [sizes, prompt, turns] :
         {DecodeCase{sizes_of(2, 6, 2, 1, 8, true), 0, true},
          DecodeCase{sizes_of(1, 300, 10, 1, 20, true), 254, false},
          DecodeCase{sizes_of(1, 130, 2, 2, 128, true), 126, true}}) {
      const auto all = random_values(packed_count(sizes), 87);
      const DeviceTensor whole(type, all);
      const auto table_values = some_table(sizes);
      const DeviceArray<float> table(table_values);
      auto known = whole.values();
      if (turns) {
        known = turned(known, table_values, sizes);
      }
      const auto expected = attention(known, sizes).out;
      const auto cache = sizes.items * sizes.kv_heads * sizes.positions * sizes.head_dim;
      Values keys(index(cache), 0);
      Values values(index(cache), 0);
      for (std::int64_t i = 0; i < cache; ++i) {
        const auto c = i % sizes.head_dim;
        const auto t = i / sizes.head_dim % sizes.positions;
        const auto head = i / sizes.head_dim / sizes.positions;
        const auto row = (head / sizes.kv_heads * sizes.positions + t) * sizes.packed_width() + c;
        const int kv = static_cast<int>(head % sizes.kv_heads);
        keys[index(i)] = t < prompt ? known[index(row + sizes.key(kv))] : 99;  // never to be read
        values[index(i)] = t < prompt ? known[index(row + sizes.value(kv))] : 99;
      }
      const DeviceTensor key_cache(type, keys);
      const DeviceTensor value_cache(type, values);
      const DeviceArray<float> partials(index(gpu::decode_partials(sizes)));
      for (int t = prompt; t < prompt + 4; ++t) {
        CAPTURE(t);
        Values row;
        Values answer;
        for (std::int64_t n = 0; n < sizes.items; ++n) {
          const auto at = n * sizes.positions + t;
          const auto from = whole.values();
          row.insert(row.end(),
                     from.begin() + at * sizes.packed_width(),
                     from.begin() + (at + 1) * sizes.packed_width());
          answer.insert(answer.end(),
                        expected.begin() + at * sizes.width(),
                        expected.begin() + (at + 1) * sizes.width());
        }
        const DeviceTensor packed(type, row);
        const DeviceTensor out(type, sizes.items * sizes.width());
        gpu::StepState now{};
        now.position = t;
        const DeviceArray<gpu::StepState> state(std::vector<gpu::StepState>{now});
        gpu::launch_decode_attention({packed.data(),
                                      turns ? table.data() : nullptr,
                                      key_cache.data(),
                                      value_cache.data(),
                                      partials.data(),
                                      out.data()},
                                     state.data(),
                                     type,
                                     sizes,
                                     nullptr);
        partials.check();
        check_near(out.values(), answer, type, rounding(type));
      }
    }
  }
}

}  // namespace
}  // namespace rightsize::test
