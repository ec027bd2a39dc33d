// Arithmetic of layers that keep a state of one size instead of keys and values (layer.h:
// StateRule; layer_work.h has that of others).
#pragma once

#include "kernels/layer.h"
#include "kernels/work.h"

namespace rightsize {

[[nodiscard]] bool has_recurrence(const Network& network);

// A sequence is worked on chunk by chunk: within one by products, as attention is, and from one to
// the next by the state. So many positions of `length` are a chunk; 1 where each goes by itself.
[[nodiscard]] std::int64_t chunk_positions(const Layer& layer, std::int64_t length);

void add_recurrence(const Layer& layer, LayerWork& work);

// Forward FLOPs of one position that is generated: the state once on, and what is read of it.
[[nodiscard]] double generated_recurrence_flops(const Layer& layer);

// What a sequence of any length keeps of a layer, where other numbers have `element` bytes.
[[nodiscard]] double kept_state_bytes(const Layer& layer, double element);
// Of all layers.
[[nodiscard]] double kept_state_bytes(const Network& network, double element);

}  // namespace rightsize
