#include "kernels/onnx/shapes.h"

#include <algorithm>
#include <set>

namespace rightsize::onnx {

std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank) {
  const auto size = static_cast<std::int64_t>(rank);
  axis = axis < 0 ? axis + size : axis;
  return axis < 0 || axis >= size ? std::nullopt : std::optional(static_cast<std::size_t>(axis));
}

std::int64_t clamped_place(std::int64_t at, std::int64_t size) {
  return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size);
}

MaybeDims reshaped(const Dims& dims, const Dims& shape, bool allow_zero) {
  Dims result = shape;
  std::int64_t known = 1;
  std::optional<std::size_t> rest;
  for (std::size_t axis = 0; axis < result.size(); ++axis) {
    if (result[axis] == 0 && !allow_zero) {
      if (axis >= dims.size()) {
        return std::nullopt;
      }
      result[axis] = dims[axis];
    }
    if (result[axis] == -1 && !rest) {
      rest = axis;
    } else if (result[axis] < 0) {
      return std::nullopt;
    } else {
      known = element_count({known, result[axis]});
    }
  }
  const auto count = element_count(dims);
  if (rest) {
    if (known == 0 || count % known != 0) {
      return std::nullopt;
    }
    result[*rest] = count / known;
  }
  return rest || known == count ? std::optional(result) : std::nullopt;
}

MaybeDims squeezed(const Dims& dims, const MaybeDims& axes) {
  std::set<std::size_t> gone;
  for (std::size_t axis = 0; !axes && axis < dims.size(); ++axis) {
    if (dims[axis] == 1) {
      gone.insert(axis);
    }
  }
  for (const auto axis : axes.value_or(Dims{})) {
    const auto known = axis_of(axis, dims.size());
    if (!known || dims[*known] != 1) {
      return std::nullopt;
    }
    gone.insert(*known);
  }
  Dims result;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (gone.count(axis) == 0) {
      result.push_back(dims[axis]);
    }
  }
  return result;
}

MaybeDims unsqueezed(const Dims& dims, const Dims& axes) {
  const auto rank = dims.size() + axes.size();
  std::set<std::size_t> fresh;
  for (const auto axis : axes) {
    const auto known = axis_of(axis, rank);
    if (!known || !fresh.insert(*known).second) {
      return std::nullopt;
    }
  }
  Dims result;
  auto next = dims.begin();
  for (std::size_t axis = 0; axis < rank; ++axis) {
    result.push_back(fresh.count(axis) > 0 ? 1 : *next++);
  }
  return result;
}

MaybeDims permuted(const Dims& dims, const Dims& order) {
  std::set<std::size_t> seen;
  Dims result;
  for (const auto axis : order) {
    const auto known = axis_of(axis, dims.size());
    if (!known || axis < 0 || !seen.insert(*known).second) {
      return std::nullopt;
    }
    result.push_back(dims[*known]);
  }
  return result.size() == dims.size() ? std::optional(result) : std::nullopt;
}

MaybeDims broadcast(const Dims& a, const Dims& b) {
  const auto& longer = a.size() >= b.size() ? a : b;
  const auto& shorter = a.size() >= b.size() ? b : a;
  auto result = longer;
  const auto offset = longer.size() - shorter.size();
  for (std::size_t axis = 0; axis < shorter.size(); ++axis) {
    auto& size = result[axis + offset];
    if (size == 1) {
      size = shorter[axis];
    } else if (shorter[axis] != 1 && shorter[axis] != size) {
      return std::nullopt;
    }
  }
  return result;
}

}  // namespace rightsize::onnx
