#include "kernels/cpu/attention_block.h"

#include <algorithm>
#include <cmath>

#include "kernels/cpu/bf16.h"
#include "kernels/cpu/rotary.h"
#include "kernels/cpu/simd.h"

namespace rightsize::cpu {
namespace {

struct RowSum {
  float largest = 0;
  float sum = 0;
};

// Leaves e^(score - largest) in the places [begin, end) and zeros in the others up to `width`.
RIGHTSIZE_SIMD_CLONES RowSum exponentiate(float* row,
                                          std::int64_t begin,
                                          std::int64_t end,
                                          std::int64_t width) {
  const float largest = largest_of(row + begin, end - begin);
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t j = begin; j < end; ++j) {
    row[j] = fast_exp(row[j] - largest);
    sum += row[j];
  }
  std::fill(row, row + begin, 0.0F);
  std::fill(row + end, row + width, 0.0F);
  return {largest, sum};
}

}  // namespace

float AttentionSizes::scale() const {
  return 1.0F / std::sqrt(static_cast<float>(head_dim));
}

std::int64_t AttentionSizes::forward_scratch() const {
  return block * (whole_panels(head_dim) + whole_panels(keys()) + whole_panels(head_dim));
}

template <typename Element>
void pack_head(const AttentionSizes& sizes,
               const Element* item,
               std::int64_t kv_head,
               const float* rotary,
               float* scratch,
               float* keys,
               float* values) {
  const auto d = sizes.head_dim;
  float* const turned = scratch;
  std::fill(keys, keys + sizes.packed_keys(), 0.0F);
  std::fill(values, values + sizes.packed_values(), 0.0F);
  for (std::int64_t t = 0; t < sizes.keys(); ++t) {
    const Element* const row = item + t * sizes.keys_width();
    for (std::int64_t c = 0; c < d; ++c) {
      turned[c] = static_cast<float>(row[sizes.key(kv_head) + c]);
      values[packed_index(sizes.keys(), t, c)] = static_cast<float>(row[sizes.value(kv_head) + c]);
    }
    if (rotary != nullptr) {
      rotate(turned, rotary + t * d, d);
    }
    for (std::int64_t c = 0; c < d; ++c) {
      keys[packed_index(d, c, t)] = turned[c];
    }
  }
}

namespace {

// Rows of one head's queries: turned, and scaled by 1 / sqrt(d) once instead of every score.
template <typename Element>
void load_queries(const AttentionSizes& sizes,
                  const Element* item,
                  std::int64_t head,
                  const QueryBlock& queries,
                  const float* rotary,
                  float* out) {
  const auto d = sizes.head_dim;
  const float scale = sizes.scale();
  for (std::int64_t t = queries.first; t < queries.last; ++t) {
    const Element* const from = item + t * sizes.packed_width() + sizes.query(head);
    float* const to = out + (t - queries.first) * d;
    for (std::int64_t c = 0; c < d; ++c) {
      to[c] = static_cast<float>(from[c]) * scale;
    }
    if (rotary != nullptr) {
      rotate(to, rotary + t * d, d);
    }
  }
}

// Rows of scores become e^(score - largest); `share` gets what each has to be multiplied by to add
// up to 1, `lse` the logarithm of its sum.
void softmax_rows(const AttentionSizes& sizes,
                  const QueryBlock& queries,
                  float* scores,
                  float* share,
                  float* lse) {
  const auto row = whole_panels(sizes.keys());
  for (std::int64_t i = 0; i < queries.rows(); ++i) {
    const auto position = queries.first + i;
    const auto total = exponentiate(scores + i * row,
                                    sizes.first_seen(position) - queries.first_key,
                                    sizes.end_seen(position) - queries.first_key,
                                    queries.keys);
    share[i] = 1.0F / total.sum;
    lse[position] = total.largest + std::log(total.sum);
  }
}

}  // namespace

template <typename Element>
void attend(const AttentionSizes& sizes,
            const AttentionTensors<Element>& tensors,
            std::int64_t head,
            const QueryBlock& queries) {
  const auto d = sizes.head_dim;
  const auto row = whole_panels(sizes.keys());
  const auto wide = whole_panels(d);
  float* const q = tensors.scratch;
  float* const scores = q + AttentionSizes::block * wide;
  float* const sums = scores + AttentionSizes::block * row;
  load_queries(sizes, tensors.item, head, queries, tensors.rotary, q);
  multiply({q, d, 1},
           tensors.keys + packed_index(d, 0, queries.first_key),
           d,
           {scores, row},
           {queries.rows(), queries.keys, d},
           false);
  float share[AttentionSizes::block];
  softmax_rows(sizes, queries, scores, share, tensors.lse);
  multiply({scores, row, 1},
           tensors.values + packed_index(sizes.keys(), queries.first_key, 0),
           sizes.keys(),
           {sums, wide},
           {queries.rows(), d, queries.keys},
           false);
  for (std::int64_t i = 0; i < queries.rows(); ++i) {
    Element* const to = tensors.out + (queries.first + i) * sizes.width() + sizes.query(head);
    for (std::int64_t c = 0; c < d; ++c) {
      to[c] = Element(sums[i * wide + c] * share[i]);
    }
  }
}

template void pack_head(
    const AttentionSizes&, const float*, std::int64_t, const float*, float*, float*, float*);
template void pack_head(
    const AttentionSizes&, const Bf16*, std::int64_t, const float*, float*, float*, float*);
template void attend(const AttentionSizes&,
                     const AttentionTensors<float>&,
                     std::int64_t,
                     const QueryBlock&);
template void attend(const AttentionSizes&,
                     const AttentionTensors<Bf16>&,
                     std::int64_t,
                     const QueryBlock&);

}  // namespace rightsize::cpu
