#include "kernels/onnx/strided.h"

#include <algorithm>

namespace rightsize::onnx {
namespace {

struct Axis {
  std::int64_t size;
  std::int64_t stride;
};

std::vector<Axis> long_axes(const Dims& dims, const Dims& strides) {
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != 1) {
      axes.push_back({dims[i], strides[i]});
    }
  }
  return axes;
}

// Neighbours that lie behind each other are one axis: the fewest that say the same.
std::vector<Axis> joined(const std::vector<Axis>& axes) {
  std::vector<Axis> result;
  for (const auto& axis : axes) {
    if (!result.empty() && result.back().stride == axis.stride * axis.size) {
      result.back() = {result.back().size * axis.size, axis.stride};
    } else {
      result.push_back(axis);
    }
  }
  return result;
}

}  // namespace

Dims dense_strides(const Dims& dims) {
  Dims strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) {
    strides[i - 1] = element_count({strides[i], dims[i]});
  }
  return strides;
}

bool is_dense(const Dims& dims, const Dims& strides) {
  const auto axes = joined(long_axes(dims, strides));
  return axes.empty() || (axes.size() == 1 && axes[0].stride == 1);
}

// From the last axis: each new one takes its share of the joined axis it lies in.
MaybeDims reshaped_strides(const Dims& dims, const Dims& strides, const Dims& to) {
  auto axes = joined(long_axes(dims, strides));
  Dims result(to.size(), 0);
  for (std::size_t i = to.size(); i-- > 0;) {
    if (to[i] == 1) {
      continue;
    }
    while (!axes.empty() && axes.back().size == 1) {
      axes.pop_back();
    }
    if (axes.empty() || to[i] < 1 || axes.back().size % to[i] != 0) {
      return std::nullopt;
    }
    auto& axis = axes.back();
    result[i] = axis.stride;
    axis = {axis.size / to[i], axis.stride * to[i]};
  }
  const bool all = std::all_of(axes.begin(), axes.end(), [](const Axis& a) { return a.size == 1; });
  return all ? MaybeDims(result) : std::nullopt;
}

}  // namespace rightsize::onnx
