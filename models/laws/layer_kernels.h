// The forward kernel of a layer that multiplies: its sizes, whole, or the part of one of `tensor`
// GPUs that share the layer (model_parallel.h).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "kernels/adapter_work.h"
#include "kernels/work.h"
#include "models/laws/gpu_kernels.h"

namespace rightsize {

// Whether GPUs that share a linear layer divide what goes into it: it comes from heads or hidden
// features, of which each has a part. Else they divide what it makes.
[[nodiscard]] bool splits_input(const Network& network, std::size_t index);

// Of a convolution, a fully connected or a linear layer.
[[nodiscard]] GpuKernel product_kernel(const Network& network, std::size_t index, double tensor);

// Attention to a window around whose scores biases of distance are added to, as no rotary positions
// turn queries and keys.
[[nodiscard]] bool has_biased_window(const Layer& layer);

// `fused`: by a kernel whose scores never leave the chip (Dao et al., "FlashAttention", NeurIPS
// 2022).
[[nodiscard]] GpuKernel attention_kernel(const Layer& layer,
                                         const LayerWork& work,
                                         double tensor,
                                         bool fused);

// Experts as one product each for all of them, as grouped kernels do it: into the hidden features
// and out of them. Tokens take experts evenly; of GPUs that share the layer `expert_tensor` have a
// part of every one each and all their tokens, ranks that divide experts (expert_exchange.h) some
// of them whole.
[[nodiscard]] std::array<GpuKernel, 2> expert_kernels(const Layer& layer,
                                                      const FeatureShape& in,
                                                      double tensor,
                                                      double expert_ranks,
                                                      double expert_tensor);

// Elements of one item that a layer reads and writes which only passes over memory, of `in` that go
// into it; 0 where it is another view of them, or does nothing outside of training.
struct ElementPasses {
  double forward = 0;
  double back = 0;
};
// Beside what all scores cost that kernels write: to those of a window biases are added in FP32,
// and every other time what hides the far side of a seam; their softmax is in FP32, and its weights
// are cast to 16 bits. Bytes by timm's swin_transformer.py under autocast, read and written: 6, 8
// every other time, 4 more than of a softmax in 16 bits, 6; counted, not fitted.
[[nodiscard]] ElementPasses biased_score_passes(const Layer& layer);

[[nodiscard]] ElementPasses element_passes(const Layer& layer, double in, bool training);

// Rows of one item that tables are read for, whose elements are kept in so many bytes with what
// their updates keep beside; as much as a GPU's cache holds lies there.
[[nodiscard]] double rows_from_memory(const Layer& layer, double bytes_per_element);

// Elements of one item that each pass beside an adapter's products reads and writes, as PEFT writes
// them: its result is scaled and added to the layer's, and two gradients of the input are added up.
[[nodiscard]] std::vector<double> adapter_passes(const AdapterShape& shape,
                                                 double rows,
                                                 bool backward);

// What of it one of `gpus` does that share every sequence, each with as many of its positions.
void share_positions(GpuKernel& kernel, double gpus);

}  // namespace rightsize
