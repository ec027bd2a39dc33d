// What exporters spell out in several nodes, joined into one: GELU by its error function or by
// tanh, SiLU (x sigmoid(x)), and the normalisation of each position's features.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/onnx/model.h"
#include "kernels/onnx/pattern_graph.h"

namespace rightsize::onnx {

// The last node of each pattern becomes "Gelu", "Silu" or "LayerNormalization"; the others lose
// their reader.
void join_patterns(std::vector<Node>& nodes,
                   const std::vector<bool>& needed,
                   const std::map<std::string, Tensor>& initializers);

// pattern_norm.cpp: from the mean of (x - mean(x))^2 on to scale and shift.
void join_layer_norm(const PatternGraph& graph, const Node& square_root);

}  // namespace rightsize::onnx
