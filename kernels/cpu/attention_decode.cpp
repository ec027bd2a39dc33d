#include "kernels/cpu/attention_decode.h"

#include <algorithm>

#include "kernels/cpu/bf16.h"
#include "kernels/cpu/rotary.h"
#include "kernels/cpu/simd.h"

namespace rightsize::cpu {
namespace {

// The query heads of one key-value head; head g's parts lie g * stride further on.
struct Group {
  std::int64_t heads = 0;
  std::int64_t stride = 0;
  float* scores = nullptr;
  float* queries = nullptr;
  float* sums = nullptr;
};

template <typename Element>
[[gnu::always_inline]] inline void score_keys(const Element* keys,
                                              std::int64_t count,
                                              std::int64_t head_dim,
                                              const Group& group) {
  for (std::int64_t t = 0; t < count; ++t) {
    for (std::int64_t g = 0; g < group.heads; ++g) {
      const float* const query = group.queries + g * group.stride;
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::int64_t c = 0; c < head_dim; ++c) {
        sum += query[c] * static_cast<float>(keys[t * head_dim + c]);
      }
      group.scores[g * group.stride + t] = sum;
    }
  }
}

template <typename Element>
[[gnu::always_inline]] inline void sum_values(const Element* values,
                                              std::int64_t count,
                                              std::int64_t head_dim,
                                              const Group& group) {
  for (std::int64_t t = 0; t < count; ++t) {
    for (std::int64_t g = 0; g < group.heads; ++g) {
      const float share = group.scores[g * group.stride + t];
      float* const sum = group.sums + g * group.stride;
#pragma omp simd
      for (std::int64_t c = 0; c < head_dim; ++c) {
        sum[c] += share * static_cast<float>(values[t * head_dim + c]);
      }
    }
  }
}

[[gnu::always_inline]] inline void softmax(float* scores, std::int64_t count) {
  const float largest = largest_of(scores, count);
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t t = 0; t < count; ++t) {
    scores[t] = fast_exp(scores[t] - largest);
    sum += scores[t];
  }
#pragma omp simd
  for (std::int64_t t = 0; t < count; ++t) {
    scores[t] /= sum;
  }
}

template <typename Element>
[[gnu::always_inline]] inline void attend_group(const Element* keys,
                                                const Element* values,
                                                std::int64_t count,
                                                std::int64_t head_dim,
                                                const Group& group) {
  score_keys(keys, count, head_dim, group);
  for (std::int64_t g = 0; g < group.heads; ++g) {
    softmax(group.scores + g * group.stride, count);
    std::fill_n(group.sums + g * group.stride, head_dim, 0.0F);
  }
  sum_values(values, count, head_dim, group);
}

RIGHTSIZE_SIMD_CLONES void attend_cache(const float* keys,
                                        const float* values,
                                        std::int64_t count,
                                        std::int64_t head_dim,
                                        const Group& group) {
  attend_group(keys, values, count, head_dim, group);
}

RIGHTSIZE_SIMD_CLONES void attend_cache(const Bf16* keys,
                                        const Bf16* values,
                                        std::int64_t count,
                                        std::int64_t head_dim,
                                        const Group& group) {
  attend_group(keys, values, count, head_dim, group);
}

// The new key and value of one head into a row of the caches; `turned`: room for a head.
template <typename Element>
void append_to_cache(const AttentionSizes& sizes,
                     const DecodeTensors<Element>& tensors,
                     const Element* key,
                     const Element* value,
                     std::int64_t cache_row,
                     float* turned) {
  const auto d = sizes.head_dim;
  for (std::int64_t c = 0; c < d; ++c) {
    turned[c] = static_cast<float>(key[c]);
  }
  if (tensors.rotary != nullptr) {
    rotate(turned, tensors.rotary, d);
  }
  for (std::int64_t c = 0; c < d; ++c) {
    tensors.keys[cache_row * d + c] = Element(turned[c]);
    tensors.values[cache_row * d + c] = value[c];
  }
}

// Turned, and scaled by 1 / sqrt(d) once instead of every score; `from`: of the group's first head.
template <typename Element>
void load_queries(const AttentionSizes& sizes,
                  const Element* from,
                  const float* rotary,
                  const Group& group) {
  const auto d = sizes.head_dim;
  for (std::int64_t g = 0; g < group.heads; ++g) {
    float* const query = group.queries + g * group.stride;
    for (std::int64_t c = 0; c < d; ++c) {
      query[c] = static_cast<float>(from[g * d + c]) * sizes.scale();
    }
    if (rotary != nullptr) {
      rotate(query, rotary, d);
    }
  }
}

// One key-value head of one item, its query heads with it.
template <typename Element>
void decode_group(const AttentionSizes& sizes,
                  const DecodeTensors<Element>& tensors,
                  std::int64_t item,
                  std::int64_t kv_head,
                  std::int64_t position) {
  const auto d = sizes.head_dim;
  const Element* const row = tensors.packed + item * sizes.packed_width();
  const auto first = kv_head * sizes.group();
  float* const scratch = tensors.scratch + (item * sizes.heads + first) * decode_scratch(sizes);
  const Group group{sizes.group(),
                    decode_scratch(sizes),
                    scratch,
                    scratch + sizes.positions,
                    scratch + sizes.positions + d};
  const auto cache = (item * sizes.kv_heads + kv_head) * sizes.positions;
  append_to_cache(sizes,
                  tensors,
                  row + sizes.key(kv_head),
                  row + sizes.value(kv_head),
                  cache + position % sizes.positions,
                  group.sums);
  load_queries(sizes, row + sizes.query(first), tensors.rotary, group);
  const auto held = std::min(position + 1, sizes.positions);
  attend_cache(tensors.keys + cache * d, tensors.values + cache * d, held, d, group);
  for (std::int64_t g = 0; g < group.heads; ++g) {
    Element* const out = tensors.out + item * sizes.width() + sizes.query(first + g);
    for (std::int64_t c = 0; c < d; ++c) {
      out[c] = Element(group.sums[g * group.stride + c]);
    }
  }
}

}  // namespace

std::int64_t decode_scratch(const AttentionSizes& sizes) {
  return sizes.positions + 2 * sizes.head_dim;
}

template <typename Element>
void decode_attend(const AttentionSizes& sizes,
                   const DecodeTensors<Element>& tensors,
                   std::int64_t position) {
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t item = 0; item < sizes.items; ++item) {
    for (std::int64_t kv_head = 0; kv_head < sizes.kv_heads; ++kv_head) {
      decode_group(sizes, tensors, item, kv_head, position);
    }
  }
}

template void decode_attend(const AttentionSizes&, const DecodeTensors<float>&, std::int64_t);
template void decode_attend(const AttentionSizes&, const DecodeTensors<Bf16>&, std::int64_t);

}  // namespace rightsize::cpu
