// Exact attention block by block (Dao et al., "FlashAttention", NeurIPS 2022): the scores of a
// block of queries live in a thread's scratch and are made again in the backward pass from the
// log-sum-exp of each row. Everything inside is FP32. No oneDNN here: plain pointers.
//
// A sequence is rows of `packed_width` features: the queries of all heads, then the keys of all
// key-value heads, then their values. Where another sequence has the keys and values, its rows are
// these alone, and the first one's the queries.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/panels.h"

namespace rightsize::cpu {

struct AttentionSizes {
  std::int64_t items = 0;
  std::int64_t positions = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  bool causal = false;
  std::int64_t window = 0;  // as Layer::window
  std::int64_t other = 0;   // > 0: not causal, and another sequence of so many positions is seen

  static constexpr std::int64_t block = 48;  // queries; a multiple of the kernel's six rows

  [[nodiscard]] std::int64_t group() const { return heads / kv_heads; }
  [[nodiscard]] std::int64_t keys() const { return other > 0 ? other : positions; }
  // Of a row with queries, and of one with keys and values.
  [[nodiscard]] std::int64_t packed_width() const {
    return (other > 0 ? heads : heads + 2 * kv_heads) * head_dim;
  }
  [[nodiscard]] std::int64_t keys_width() const {
    return other > 0 ? 2 * kv_heads * head_dim : packed_width();
  }
  [[nodiscard]] std::int64_t width() const { return heads * head_dim; }
  [[nodiscard]] std::int64_t blocks() const { return (positions + block - 1) / block; }
  [[nodiscard]] float scale() const;  // 1 / sqrt(head_dim)

  // Keys that the query at a position sees: from the first on, up to the other.
  [[nodiscard]] std::int64_t first_seen(std::int64_t position) const {
    const auto before = causal ? window - 1 : window / 2;
    return window > 0 ? std::max<std::int64_t>(0, position - before) : 0;
  }
  [[nodiscard]] std::int64_t end_seen(std::int64_t position) const {
    const auto end = position + 1 + (causal ? 0 : window / 2);
    return causal || window > 0 ? std::min(end, keys()) : keys();
  }

  // Where head `h` starts in a packed row.
  [[nodiscard]] std::int64_t query(std::int64_t h) const { return h * head_dim; }
  [[nodiscard]] std::int64_t key(std::int64_t h) const {
    return (other > 0 ? h : heads + h) * head_dim;
  }
  [[nodiscard]] std::int64_t value(std::int64_t h) const { return key(kv_heads + h); }

  // Floats of one key-value head's keys or values, packed for the products.
  [[nodiscard]] std::int64_t packed_keys() const { return packed_size(head_dim, keys()); }
  [[nodiscard]] std::int64_t packed_values() const { return packed_size(keys(), head_dim); }

  [[nodiscard]] std::int64_t forward_scratch() const;   // floats per thread
  [[nodiscard]] std::int64_t backward_scratch() const;  // floats per thread
};

// Queries [first, last) of a sequence and the keys they see, from the beginning of a panel on.
struct QueryBlock {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t first_key = 0;
  std::int64_t keys = 0;

  QueryBlock(const AttentionSizes& sizes, std::int64_t index)
      : first(index * AttentionSizes::block),
        last(std::min(first + AttentionSizes::block, sizes.positions)),
        first_key(sizes.first_seen(first) / panel_width * panel_width),
        keys(sizes.end_seen(last - 1) - first_key) {}
  [[nodiscard]] std::int64_t rows() const { return last - first; }
};

// One key-value head of one item: keys turned and transposed, values as they are. `item` is its
// first row with keys, `rotary` the table or null, `scratch` one thread's forward_scratch().
template <typename Element>
void pack_head(const AttentionSizes& sizes,
               const Element* item,
               std::int64_t kv_head,
               const float* rotary,
               float* scratch,
               float* keys,
               float* values);

// What the forward pass of one head of an item reads and writes.
template <typename Element>
struct AttentionTensors {
  const Element* item = nullptr;  // positions x packed_width, or x width without keys
  const float* rotary = nullptr;  // null: none
  const float* keys = nullptr;    // of its key-value head, as pack_head leaves them
  const float* values = nullptr;  // likewise
  float* scratch = nullptr;       // forward_scratch() of one thread
  Element* out = nullptr;         // positions x width
  float* lse = nullptr;           // positions
};

// softmax(q K^T / sqrt(d)) V of one head and block into `out`, and the log-sum-exp of each row.
template <typename Element>
void attend(const AttentionSizes& sizes,
            const AttentionTensors<Element>& tensors,
            std::int64_t head,
            const QueryBlock& queries);

// What the backward pass of one item reads and writes.
struct AttentionGradients {
  const float* item = nullptr;      // positions x packed_width
  const float* keys = nullptr;      // keys() x keys_width: `item` again, or the other sequence
  const float* out = nullptr;       // positions x width, as the forward pass left it
  const float* gradient = nullptr;  // of out
  const float* lse = nullptr;       // heads x positions
  const float* rotary = nullptr;    // null: none
  float* packed = nullptr;          // of item, all of the head's part is written
  float* packed_keys = nullptr;     // of keys, likewise
};

// All query heads of one key-value head.
void attend_backward(const AttentionSizes& sizes,
                     const AttentionGradients& tensors,
                     std::int64_t kv_head,
                     float* scratch);

}  // namespace rightsize::cpu
