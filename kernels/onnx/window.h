// Convolution and pooling windows as ONNX writes them: kernel_shape, strides, dilations, pads or
// auto_pad, ceil_mode. Reference: "Operators" of the ONNX specification, Conv and MaxPool.
#pragma once

#include "kernels/layer.h"
#include "kernels/onnx/model.h"

namespace rightsize::onnx {

// One entry per spatial axis.
struct Window {
  Dims kernel, stride, dilation;
  Dims begin, end;         // padding on either side; `end` reaches what a rounded-up output needs
  Dims out;                // positions
  bool overhangs = false;  // ceil_mode made `end` larger than the file's own padding
};

// `kernel` where the node has no kernel_shape. Throws Unsupported for a window that does not fit or
// sizes that are not positive.
[[nodiscard]] Window window_of(const Node& node, const Dims& spatial, const Dims& kernel);

// For one or two spatial axes; one axis becomes the height.
void set_window(const Window& window, Layer& layer);

}  // namespace rightsize::onnx
