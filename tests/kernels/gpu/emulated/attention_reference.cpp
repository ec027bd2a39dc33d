#include "kernels/gpu/emulated/attention_reference.h"

#include <cmath>

namespace rightsize::test {

using gpu::AttentionSizes;
using gpu::ElementType;

namespace {

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

}  // namespace

AttentionSizes sizes_of(std::int64_t items,
                        std::int64_t positions,
                        int heads,
                        int kv_heads,
                        int head_dim,
                        bool causal,
                        std::int64_t window) {
  return {items,
          positions,
          heads,
          kv_heads,
          head_dim,
          causal,
          1.0F / std::sqrt(static_cast<float>(head_dim)),
          window};
}

std::int64_t packed_count(const AttentionSizes& sizes) {
  return sizes.items * sizes.positions * sizes.packed_width();
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

double rounding(ElementType type) {
  return type == ElementType::f32 ? 2 : (type == ElementType::f16 ? 200 : 1600);
}

}  // namespace rightsize::test
