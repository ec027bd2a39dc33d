// Queries, keys and values side by side, as our attention layer reads them.
#pragma once

#include "kernels/onnx/attention.h"

namespace rightsize::onnx {

// Appends the attention layer over one linear layer that makes all three, and defines the node's
// output, of `dims`. The file's linear layers are that one already, or are put together to be.
// `flops`: of the last product, owed where the layers in front are not known.
void append_attention(GraphImport& import,
                      const Node& node,
                      const Scores& scores,
                      const Value& values,
                      const Dims& dims,
                      double flops);

}  // namespace rightsize::onnx
