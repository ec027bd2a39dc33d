// Attention of one new position per item over a cache of the keys and values before it, as a
// language model generates. Bound by reading the cache, so query heads that share a key-value head
// go through it together.
#pragma once

#include "kernels/cpu/attention_block.h"

namespace rightsize::cpu {

// Caches are items x kv_heads x sizes.positions x head_dim; keys are stored turned. Where there is
// a window they are rings as large as it.
template <typename Element>
struct DecodeTensors {
  const Element* packed = nullptr;  // items x packed_width: the new queries, keys, values
  const float* rotary = nullptr;    // the table's row for this position, or null
  Element* keys = nullptr;
  Element* values = nullptr;
  float* scratch = nullptr;  // items x heads x decode_scratch() floats
  Element* out = nullptr;    // items x width
};

// Per item and head: scores of all positions, the turned query, the sum.
[[nodiscard]] std::int64_t decode_scratch(const AttentionSizes& sizes);

// Appends the new keys and values, in the place of what leaves a full cache, and attends to all
// that it holds then.
template <typename Element>
void decode_attend(const AttentionSizes& sizes,
                   const DecodeTensors<Element>& tensors,
                   std::int64_t position);

}  // namespace rightsize::cpu
