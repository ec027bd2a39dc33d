// Attention as exporters spell it out, product by product, put together again: queries times keys,
// scaled, masked, through a softmax, times values. Nothing is a layer before the last product.
#pragma once

#include "kernels/onnx/graph_import.h"

namespace rightsize::onnx {

// What queries and keys give. dims of both: heads and the like, then positions, then features.
struct Scores {
  Value query;
  Value key;
  double scale = 1;
  bool causal = false;
  bool normalised = false;  // behind the softmax
};

// MatMul of two computed tensors: scores, or what becomes of them and of values.
void import_product(GraphImport& import, const Node& node);
// Of scores. scale: by one number. mask: `visible`: where a constant says so, of any shape that can
// be broadcast; else the constant is added.
void scale_scores(GraphImport& import, const Node& node, const Value& scores, double factor);
void mask_scores(GraphImport& import, const Node& node, const Value& scores, const Tensor& summand);
void normalise_scores(GraphImport& import, const Node& node, const Value& scores);
void import_where(GraphImport& import, const Node& node);
void import_is_nan(GraphImport& import, const Node& node);

}  // namespace rightsize::onnx
