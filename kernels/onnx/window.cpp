#include "kernels/onnx/window.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/onnx/unsupported.h"

namespace rightsize::onnx {
namespace {

void check(const Window& window, std::size_t axes, std::size_t pads) {
  const auto positive = [axes](const Dims& sizes) {
    return sizes.size() == axes &&
           std::all_of(sizes.begin(), sizes.end(), [](auto size) { return size > 0; });
  };
  if (!positive(window.kernel) || !positive(window.stride) || !positive(window.dilation) ||
      pads != 2 * axes) {
    throw Unsupported("its window does not fit its input's number of dimensions");
  }
}

void pad_for_same_size(Window& window, std::size_t axis, std::int64_t size, bool lower) {
  const auto stride = window.stride[axis];
  const auto span = (window.kernel[axis] - 1) * window.dilation[axis] + 1;
  const auto out = (size + stride - 1) / stride;
  const auto total = std::max<std::int64_t>((out - 1) * stride + span - size, 0);
  window.begin[axis] = lower ? total - total / 2 : total / 2;
  window.end[axis] = total - window.begin[axis];
}

// Rounded up, unless the last window would start behind the input.
std::int64_t rounded_up(const Window& window, std::size_t axis, std::int64_t size) {
  const auto stride = window.stride[axis];
  const auto span = (window.kernel[axis] - 1) * window.dilation[axis] + 1;
  const auto room = size + window.begin[axis] + window.end[axis] - span;
  const auto out = (room + stride - 1) / stride + 1;
  return (out - 1) * stride >= size + window.begin[axis] ? out - 1 : out;
}

void place(Window& window, std::size_t axis, std::int64_t size, bool ceil_mode) {
  const auto stride = window.stride[axis];
  const auto span = (window.kernel[axis] - 1) * window.dilation[axis] + 1;
  const auto room = size + window.begin[axis] + window.end[axis] - span;
  if (room < 0 || window.begin[axis] < 0 || window.end[axis] < 0) {
    throw Unsupported(fmt::format("a window of {} with padding {} and {} does not fit into {}",
                                  span,
                                  window.begin[axis],
                                  window.end[axis],
                                  size));
  }
  window.out[axis] = ceil_mode ? rounded_up(window, axis, size) : room / stride + 1;
  const auto needed = (window.out[axis] - 1) * stride + span - size - window.begin[axis];
  if (needed > window.end[axis]) {
    window.end[axis] = needed;
    window.overhangs = true;
  }
}

}  // namespace

Window window_of(const Node& node, const Dims& spatial, const Dims& kernel) {
  const auto axes = spatial.size();
  Window window;
  window.kernel = node.integers("kernel_shape", kernel);
  window.stride = node.integers("strides", Dims(axes, 1));
  window.dilation = node.integers("dilations", Dims(axes, 1));
  const auto pads = node.integers("pads", Dims(2 * axes, 0));
  check(window, axes, pads.size());
  const auto half = pads.begin() + static_cast<std::ptrdiff_t>(axes);
  window.begin.assign(pads.begin(), half);
  window.end.assign(half, pads.end());
  window.out.resize(axes);
  const auto automatic = node.text("auto_pad", "NOTSET");
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
      pad_for_same_size(window, axis, spatial[axis], automatic == "SAME_LOWER");
    } else if (automatic == "VALID") {
      window.begin[axis] = window.end[axis] = 0;
    }
    place(window, axis, spatial[axis], node.integer("ceil_mode", 0) != 0);
  }
  return window;
}

void set_window(const Window& window, Layer& layer) {
  const auto at = [](const Dims& sizes, std::size_t axis, std::int64_t otherwise) {
    return axis < sizes.size() ? sizes[axis] : otherwise;
  };
  layer.kernel_h = at(window.kernel, 0, 1);
  layer.kernel_w = at(window.kernel, 1, 1);
  layer.stride_h = at(window.stride, 0, 1);
  layer.stride_w = at(window.stride, 1, 1);
  layer.dilation_h = at(window.dilation, 0, 1);
  layer.dilation_w = at(window.dilation, 1, 1);
  layer.pad_h = at(window.begin, 0, 0);
  layer.pad_w = at(window.begin, 1, 0);
  layer.more_pad_h = at(window.end, 0, 0) - layer.pad_h;
  layer.more_pad_w = at(window.end, 1, 0) - layer.pad_w;
}

}  // namespace rightsize::onnx
