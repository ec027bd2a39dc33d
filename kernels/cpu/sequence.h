// What the operations on sequences share. A sequence of T positions is logical {N, C, T, 1} in NHWC
// order, which is a dense matrix of N * T rows with C features each.
#pragma once

#include "kernels/cpu/operation.h"

namespace rightsize::cpu {

// Of a learned table's normal noise when training starts, as GPT-2, BERT, ViT and Llama were
// started.
inline constexpr float starting_deviation = 0.02F;

struct SequenceShape {
  std::int64_t items = 0;
  std::int64_t positions = 0;
  std::int64_t features = 0;

  [[nodiscard]] std::int64_t rows() const { return items * positions; }
};

[[nodiscard]] inline SequenceShape sequence_shape(const FeatureShape& shape, std::int64_t items) {
  return {items, shape.positions(), shape.c};
}

// {N, C, T, 1}, features side by side.
[[nodiscard]] inline dnnl::memory::desc sequence_desc(const SequenceShape& shape,
                                                      dnnl::memory::data_type type) {
  return {{shape.items, shape.features, shape.positions, 1}, type, dnnl::memory::format_tag::nhwc};
}

// The same bytes as {N T, C}.
[[nodiscard]] inline dnnl::memory::desc rows_desc(const SequenceShape& shape,
                                                  dnnl::memory::data_type type) {
  return with_type(plain({shape.rows(), shape.features}), type);
}

// Whatever the layout it comes in, as a sequence of the engine's element type in a planned buffer.
[[nodiscard]] inline Tensor as_sequence(Lowering& lowering,
                                        const Tensor& tensor,
                                        const SequenceShape& shape) {
  const auto desc = sequence_desc(shape, lowering.type());
  if (tensor.buffer >= 0) {
    return lowering.reordered(tensor, desc);
  }
  const auto result = lowering.buffer(desc);  // the caller's images have none
  lowering.copy(tensor, result);
  return result;
}

}  // namespace rightsize::cpu
