// The gradient of what a convolution reads, plain or transposed, emitted as oneDNN has it.
#pragma once

#include <string>
#include <utility>

#include "kernels/cpu/operation.h"

namespace rightsize::cpu {

// `Primitive` is dnnl::convolution_backward_data or its like; `gradient` is of what it made.
template <typename Primitive>
[[nodiscard]] Gradient emit_data_gradient(Lowering& lowering,
                                          std::string name,
                                          const typename Primitive::primitive_desc& pd,
                                          const Tensor& gradient,
                                          const Tensor& weights) {
  const auto arriving = lowering.reordered(gradient, pd.diff_dst_desc());
  const auto ordered = lowering.reordered(weights, pd.weights_desc());
  const auto result = lowering.buffer(pd.diff_src_desc());
  lowering.emit(
      std::move(name),
      Primitive(pd),
      pd.scratchpad_desc(),
      {{DNNL_ARG_DIFF_DST, arriving}, {DNNL_ARG_WEIGHTS, ordered}, {DNNL_ARG_DIFF_SRC, result}});
  return {result};
}

}  // namespace rightsize::cpu
