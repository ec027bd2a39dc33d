// An operator, or a use of one, that no layer of ours stands for: caught per node and reported.
#pragma once

#include <stdexcept>

namespace rightsize::onnx {

class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace rightsize::onnx
