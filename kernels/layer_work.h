// The arithmetic of one layer, apart from the sums over a network (work.h).
#pragma once

#include "kernels/layer.h"

namespace rightsize {

// Positions that one of a sequence of `length` sees in an attention layer, in the mean.
[[nodiscard]] double mean_seen(const Layer& layer, std::int64_t length);

// Forward FLOPs of one query position of an attention layer that sees `seen` positions: scores and
// weighted sum, each a product with head_dim, and the softmax.
[[nodiscard]] double attention_flops(const Layer& layer, double seen);

}  // namespace rightsize
