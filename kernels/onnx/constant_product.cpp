#include "kernels/onnx/constant_product.h"

#include <algorithm>

#include "kernels/onnx/shapes.h"

namespace rightsize::onnx {
namespace {

using Result = std::optional<Tensor>;

// Of one pair of matrices: rows x inner times inner x columns.
void append_product(const float* a,
                    const float* b,
                    const Dims& sizes,
                    std::vector<float>& product) {
  const auto rows = sizes[0];
  const auto inner = sizes[1];
  const auto columns = sizes[2];
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      float sum = 0;
      for (std::int64_t k = 0; k < inner; ++k) {
        sum += a[i * inner + k] * b[k * columns + j];
      }
      product.push_back(sum);
    }
  }
}

Result matrix_product(const Tensor& a, const Tensor& b) {
  const auto rank = a.dims.size();
  if (a.integral || b.integral || rank < 2 || b.dims.size() != rank || a.floats.empty() ||
      b.floats.empty() || !std::equal(a.dims.begin(), a.dims.end() - 2, b.dims.begin()) ||
      a.dims.back() != b.dims[rank - 2]) {
    return std::nullopt;
  }
  const Dims sizes{a.dims[rank - 2], a.dims.back(), b.dims.back()};
  Tensor result{a.dims, false, {}, {}};
  result.dims.back() = sizes[2];
  // The work is bounded with the output: a file may claim any size in between.
  if (!is_sane(result.dims) ||
      element_count({element_count(result.dims), sizes[1]}) > most_folded_elements) {
    return std::nullopt;
  }
  const auto pairs = element_count({a.dims.begin(), a.dims.end() - 2});
  for (std::int64_t pair = 0; pair < pairs; ++pair) {
    append_product(a.floats.data() + pair * sizes[0] * sizes[1],
                   b.floats.data() + pair * sizes[1] * sizes[2],
                   sizes,
                   result.floats);
  }
  return result;
}

Result outer_product(const Tensor& a, const Tensor& b) {
  if (a.dims.size() != 1 || b.dims.size() != 1) {
    return std::nullopt;
  }
  auto column = a;
  auto row = b;
  column.dims = {a.dims[0], 1};
  row.dims = {1, b.dims[0]};
  return matrix_product(column, row);
}

}  // namespace

std::optional<Tensor> fold_product(const Node& node, const FoldInputs& inputs) {
  if (inputs.tensors.size() != 2) {
    return std::nullopt;
  }
  const auto& a = *inputs.tensors[0];
  const auto& b = *inputs.tensors[1];
  if (node.op == "MatMul") {
    return matrix_product(a, b);
  }
  auto equation = node.text("equation", "");
  std::erase(equation, ' ');
  return equation == "i,j->ij" ? outer_product(a, b) : std::nullopt;
}

}  // namespace rightsize::onnx
