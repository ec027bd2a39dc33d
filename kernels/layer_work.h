// The arithmetic of one layer, apart from the sums over a network (work.h).
#pragma once

#include "kernels/layer.h"

namespace rightsize {

// Positions that one of a sequence of `length` sees in an attention layer, in the mean.
[[nodiscard]] double mean_seen(const Layer& layer, std::int64_t length);

// Forward FLOPs of one query position of an attention layer that sees `seen` positions: scores and
// weighted sum, each a product with head_dim, and the softmax.
[[nodiscard]] double attention_flops(const Layer& layer, double seen);

// Of one that is generated: a query goes to latents as they are, turned into their space, as making
// the keys and values of a whole cache again would be dearer ("DeepSeek-V2", 2024, section 2.1.2).
[[nodiscard]] double cached_attention_flops(const Layer& layer, double seen);

}  // namespace rightsize
