// The backward pass of attention_block.h. With S = q K^T, P = e^(S - lse) and D = sum(dO O) by row
// (Dao et al., 2022, algorithm 4): dV = P^T dO, dP = dO V^T, dS = P (dP - D), dq = dS K,
// dK = dS^T q. Here q carries the factor 1 / sqrt(d).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "kernels/cpu/attention_block.h"
#include "kernels/cpu/rotary.h"
#include "kernels/cpu/simd.h"

namespace rightsize::cpu {
namespace {

constexpr auto block = AttentionSizes::block;

// One thread's memory, cut into its parts.
struct Scratch {
  Scratch(const AttentionSizes& sizes, float* memory) : next(memory) {
    const auto wide = whole_panels(sizes.head_dim);
    const auto row = whole_panels(sizes.keys());
    keys = take(sizes.packed_values());
    keys_turned = take(sizes.packed_keys());
    values_turned = take(sizes.packed_keys());
    key_gradient = take(sizes.keys() * wide);
    value_gradient = take(sizes.keys() * wide);
    scores = take(block * row);
    score_gradient = take(block * row);
    for (auto** part : {&queries, &queries_packed, &arriving, &arriving_packed, &query_gradient}) {
      *part = take(block * wide);
    }
  }
  float* take(std::int64_t count) { return std::exchange(next, next + count); }

  float* next;
  float* keys;            // panels over features
  float* keys_turned;     // panels over positions
  float* values_turned;   // panels over positions
  float* key_gradient;    // rows, as the next
  float* value_gradient;  //
  float* scores;          // P of the block
  float* score_gradient;  // dP, then dS
  float* queries;         // rows of head_dim
  float* queries_packed;
  float* arriving;  // rows of dO
  float* arriving_packed;
  float* query_gradient;
};

// P (dP - D) in place of dP; keys [begin, end) count, the rest of the row gets zeros.
RIGHTSIZE_SIMD_CLONES void score_gradients(float* p,
                                           float* dp,
                                           float lse,
                                           float d,
                                           std::int64_t begin,
                                           std::int64_t end,
                                           std::int64_t width) {
#pragma omp simd
  for (std::int64_t j = begin; j < end; ++j) {
    p[j] = fast_exp(p[j] - lse);
    dp[j] = p[j] * (dp[j] - d);
  }
  for (float* const row : {p, dp}) {
    std::fill(row, row + begin, 0.0F);
    std::fill(row + end, row + width, 0.0F);
  }
}

void load_keys_and_values(const AttentionSizes& sizes,
                          const AttentionGradients& tensors,
                          std::int64_t kv_head,
                          const Scratch& s) {
  const auto d = sizes.head_dim;
  std::memset(s.keys, 0, static_cast<std::size_t>(sizes.packed_values()) * sizeof(float));
  for (auto* part : {s.keys_turned, s.values_turned}) {
    std::memset(part, 0, static_cast<std::size_t>(sizes.packed_keys()) * sizeof(float));
  }
  for (std::int64_t t = 0; t < sizes.keys(); ++t) {
    const float* const row = tensors.keys + t * sizes.keys_width();
    float* const turned = s.query_gradient;  // free until the first block
    std::copy_n(row + sizes.key(kv_head), d, turned);
    if (tensors.rotary != nullptr) {
      rotate(turned, tensors.rotary + t * d, d);
    }
    for (std::int64_t c = 0; c < d; ++c) {
      s.keys[packed_index(sizes.keys(), t, c)] = turned[c];
      s.keys_turned[packed_index(d, c, t)] = turned[c];
      s.values_turned[packed_index(d, c, t)] = row[sizes.value(kv_head) + c];
    }
  }
}

// Queries and arriving gradients of the block, as rows and packed; returns D of row i in d_of[i].
void load_block(const AttentionSizes& sizes,
                const AttentionGradients& tensors,
                std::int64_t head,
                const QueryBlock& queries,
                const Scratch& s,
                float* d_of) {
  const auto d = sizes.head_dim;
  const float scale = sizes.scale();
  for (std::int64_t t = queries.first; t < queries.last; ++t) {
    const auto i = t - queries.first;
    float* const q = s.queries + i * d;
    float* const dy = s.arriving + i * d;
    const auto at = t * sizes.width() + sizes.query(head);
    std::copy_n(tensors.item + t * sizes.packed_width() + sizes.query(head), d, q);
    std::copy_n(tensors.gradient + at, d, dy);
    if (tensors.rotary != nullptr) {
      rotate(q, tensors.rotary + t * d, d);
    }
    d_of[i] = 0;
    for (std::int64_t c = 0; c < d; ++c) {
      q[c] *= scale;
      s.queries_packed[packed_index(block, i, c)] = q[c];
      s.arriving_packed[packed_index(block, i, c)] = dy[c];
      d_of[i] += dy[c] * tensors.out[at + c];
    }
  }
}

void store_query_gradient(const AttentionSizes& sizes,
                          const AttentionGradients& tensors,
                          std::int64_t head,
                          const QueryBlock& queries,
                          const Scratch& s) {
  const auto d = sizes.head_dim;
  const float scale = sizes.scale();
  for (std::int64_t t = queries.first; t < queries.last; ++t) {
    const float* const from = s.query_gradient + (t - queries.first) * whole_panels(d);
    float* const to = tensors.packed + t * sizes.packed_width() + sizes.query(head);
    for (std::int64_t c = 0; c < d; ++c) {
      to[c] = from[c] * scale;
    }
    if (tensors.rotary != nullptr) {
      rotate_back(to, tensors.rotary + t * d, d);
    }
  }
}

void backward_block(const AttentionSizes& sizes,
                    const AttentionGradients& tensors,
                    std::int64_t head,
                    const QueryBlock& queries,
                    const Scratch& s) {
  const auto d = sizes.head_dim;
  const auto row = whole_panels(sizes.keys());
  const auto wide = whole_panels(d);
  const auto rows = queries.rows();
  const auto keys = queries.keys;
  const auto from = queries.first_key;
  const auto turned = packed_index(d, 0, from);
  float d_of[block];
  load_block(sizes, tensors, head, queries, s, d_of);
  multiply({s.queries, d, 1}, s.keys_turned + turned, d, {s.scores, row}, {rows, keys, d}, false);
  multiply({s.arriving, d, 1},
           s.values_turned + turned,
           d,
           {s.score_gradient, row},
           {rows, keys, d},
           false);
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto t = queries.first + i;
    score_gradients(s.scores + i * row,
                    s.score_gradient + i * row,
                    tensors.lse[head * sizes.positions + t],
                    d_of[i],
                    sizes.first_seen(t) - from,
                    sizes.end_seen(t) - from,
                    keys);
  }
  multiply({s.scores, 1, row},
           s.arriving_packed,
           block,
           {s.value_gradient + from * wide, wide},
           {keys, d, rows},
           true);
  multiply({s.score_gradient, 1, row},
           s.queries_packed,
           block,
           {s.key_gradient + from * wide, wide},
           {keys, d, rows},
           true);
  multiply({s.score_gradient, row, 1},
           s.keys + packed_index(sizes.keys(), from, 0),
           sizes.keys(),
           {s.query_gradient, wide},
           {rows, d, keys},
           false);
  store_query_gradient(sizes, tensors, head, queries, s);
}

}  // namespace

std::int64_t AttentionSizes::backward_scratch() const {
  const auto wide = whole_panels(head_dim);
  return packed_values() + 2 * packed_keys() + 2 * keys() * wide +
         2 * block * whole_panels(keys()) + 5 * block * wide;
}

void attend_backward(const AttentionSizes& sizes,
                     const AttentionGradients& tensors,
                     std::int64_t kv_head,
                     float* scratch) {
  const auto d = sizes.head_dim;
  const auto wide = whole_panels(d);
  const Scratch s(sizes, scratch);
  load_keys_and_values(sizes, tensors, kv_head, s);
  for (auto* part : {s.key_gradient, s.value_gradient, s.queries_packed, s.arriving_packed}) {
    const bool rows = part == s.key_gradient || part == s.value_gradient;
    std::fill_n(part, (rows ? sizes.keys() : block) * wide, 0.0F);
  }
  for (std::int64_t member = 0; member < sizes.group(); ++member) {
    for (std::int64_t i = 0; i < sizes.blocks(); ++i) {
      backward_block(sizes, tensors, kv_head * sizes.group() + member, QueryBlock(sizes, i), s);
    }
  }
  for (std::int64_t t = 0; t < sizes.keys(); ++t) {
    float* const row = tensors.packed_keys + t * sizes.keys_width();
    std::copy_n(s.key_gradient + t * wide, d, row + sizes.key(kv_head));
    std::copy_n(s.value_gradient + t * wide, d, row + sizes.value(kv_head));
    if (tensors.rotary != nullptr) {
      rotate_back(row + sizes.key(kv_head), tensors.rotary + t * d, d);
    }
  }
}

}  // namespace rightsize::cpu
