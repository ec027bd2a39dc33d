// Operators that move no numbers: another shape over the same layer.
#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "kernels/onnx/operators.h"
#include "kernels/onnx/shapes.h"

namespace rightsize::onnx {
namespace {

// Where the elements stay where they are: the axes longer than 1 keep their order.
bool keeps_order(const Dims& dims, const Dims& order) {
  Dims long_axes;
  std::copy_if(order.begin(), order.end(), std::back_inserter(long_axes), [&](auto axis) {
    return dims[static_cast<std::size_t>(axis)] > 1;
  });
  return std::is_sorted(long_axes.begin(), long_axes.end());
}

}  // namespace

void import_identity(GraphImport& import, const Node& node) {
  constexpr std::array<std::int64_t, 4> floating{1, 10, 11, 16};  // FP32, FP16, FP64, BF16
  const auto target = node.integer("to", floating[0]);
  if (std::find(floating.begin(), floating.end(), target) == floating.end()) {
    throw Unsupported(
        fmt::format("it turns values into element type {}, not floating point", target));
  }
  import.define(node, import.value(node, 0));
}

void import_flatten(GraphImport& import, const Node& node) {
  const auto& from = import.value(node, 0);
  const auto rank = static_cast<std::int64_t>(from.dims.size());
  const auto axis = node.integer("axis", 1);
  const auto split =
      from.dims.begin() + std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
  import.view(node,
              from,
              {element_count({from.dims.begin(), split}), element_count({split, from.dims.end()})});
}

void import_reshape(GraphImport& import, const Node& node) {
  const auto& from = import.value(node, 0);
  const auto dims =
      reshaped(from.dims, import.constant(node, 1).ints, node.integer("allowzero", 0) != 0);
  if (!dims) {
    throw Unsupported(fmt::format("{} has no such shape", to_string(from.dims)));
  }
  import.view(node, from, *dims);
}

void import_squeeze(GraphImport& import, const Node& node) {
  const auto& from = import.value(node, 0);
  const auto dims = squeezed(from.dims, import.integers(node, "axes", 1));
  if (!dims) {
    throw Unsupported(fmt::format("its axes are not of size 1 in {}", to_string(from.dims)));
  }
  import.view(node, from, *dims);
}

void import_unsqueeze(GraphImport& import, const Node& node) {
  const auto& from = import.value(node, 0);
  const auto axes = import.integers(node, "axes", 1);
  const auto dims = axes ? unsqueezed(from.dims, *axes) : std::nullopt;
  if (!dims) {
    throw Unsupported("its axes do not fit its input");
  }
  import.view(node, from, *dims);
}

void import_transpose(GraphImport& import, const Node& node) {
  const auto& from = import.value(node, 0);
  const auto rank = from.dims.size();
  Dims backwards(rank);
  std::iota(backwards.rbegin(), backwards.rend(), std::int64_t{0});
  const auto order = node.integers("perm", backwards);
  const auto dims = permuted(from.dims, order);
  if (!dims) {
    throw Unsupported("its permutation does not fit its input");
  }
  if (from.nhwc_input && from.sole && order == Dims{0, 3, 1, 2}) {
    return import.transpose_input(node, *dims);
  }
  if (order[0] != 0 || !keeps_order(from.dims, order)) {
    throw Unsupported(fmt::format("{} to {} moves numbers, and no layer of ours does that",
                                  to_string(from.dims),
                                  to_string(*dims)));
  }
  import.view(node, from, *dims);
}

}  // namespace rightsize::onnx
