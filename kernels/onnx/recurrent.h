// The states that recurrent layers end in, of several of them one after the other: what PyTorch
// calls h_n.
#pragma once

#include "kernels/onnx/graph_import.h"

namespace rightsize::onnx {

// A Concat along axis 0 of such states; false, and nothing done, where it is not that.
[[nodiscard]] bool stack_states(GraphImport& import, const Node& node);

// Rows first .. first + size - 1 of `stacked`, where they are one layer's.
[[nodiscard]] Value picked_states(const Value& stacked, std::int64_t first, std::int64_t size);

}  // namespace rightsize::onnx
