// Activations that exporters spell out in several nodes, joined into one: GELU by its error
// function, and SiLU (x sigmoid(x)).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/onnx/model.h"

namespace rightsize::onnx {

// The last node of each pattern becomes "Gelu" or "Silu"; the others lose their reader.
void join_patterns(std::vector<Node>& nodes,
                   const std::vector<bool>& needed,
                   const std::map<std::string, Tensor>& initializers);

}  // namespace rightsize::onnx
