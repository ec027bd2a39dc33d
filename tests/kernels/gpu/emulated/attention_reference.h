// Attention as it is defined, in float64: what the tests of its kernels hold them against.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/gpu/attention_kernels.h"
#include "kernels/gpu/emulated/tensor.h"

namespace rightsize::test {

inline std::size_t index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

[[nodiscard]] gpu::AttentionSizes sizes_of(std::int64_t items,
                                           std::int64_t positions,
                                           int heads,
                                           int kv_heads,
                                           int head_dim,
                                           bool causal,
                                           std::int64_t window = 0);

[[nodiscard]] std::int64_t packed_count(const gpu::AttentionSizes& sizes);

// The keys that position t sees, by the definition: [begin, end).
struct Seen {
  Seen(const gpu::AttentionSizes& sizes, std::int64_t t)
      : begin(sizes.window == 0 ? 0
              : sizes.causal    ? std::max<std::int64_t>(0, t + 1 - sizes.window)
                                : std::max<std::int64_t>(0, t - sizes.window / 2)),
        end(sizes.causal       ? t + 1
            : sizes.window > 0 ? std::min(sizes.positions, t + sizes.window / 2 + 1)
                               : sizes.positions) {}
  std::int64_t begin, end;
};

struct Attended {
  Values out, lse;
};
[[nodiscard]] Attended attention(const Values& packed, const gpu::AttentionSizes& sizes);

// cosines, then sines, of position t times a frequency of each pair.
[[nodiscard]] std::vector<float> some_table(const gpu::AttentionSizes& sizes);

// Queries and keys turned by the table's rows.
[[nodiscard]] Values turned(const Values& packed,
                            const std::vector<float>& table,
                            const gpu::AttentionSizes& sizes);

// The scale of check_near(): of shares and sums that are rounded to the type in between.
[[nodiscard]] double rounding(gpu::ElementType type);

}  // namespace rightsize::test
