// What exporters spell out in several nodes, joined into one: GELU by its error function or by
// tanh, SiLU (x sigmoid(x)), the normalisation of each position's features, rotary positions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/onnx/model.h"
#include "kernels/onnx/pattern_graph.h"

namespace rightsize::onnx {

// The last node of each pattern becomes "Gelu", "Silu", "LayerNormalization", "RMSNormalization" or
// "RotateHalves"; the others lose their reader.
void join_patterns(std::vector<Node>& nodes,
                   const std::vector<bool>& needed,
                   const std::map<std::string, Tensor>& initializers);

// pattern_norm.cpp: from the mean of (x - mean(x))^2 on to scale and shift.
void join_layer_norm(const PatternGraph& graph, const Node& square_root);
// x over the root of the mean of its squares, times a scale where there is one.
void join_rms_norm(const PatternGraph& graph, const Node& square_root);

// pattern_rotary.cpp: x cos + [-b, a] sin, where a and b are x's halves (rotary.h).
void join_rotary(const PatternGraph& graph, const Node& concat);

}  // namespace rightsize::onnx
