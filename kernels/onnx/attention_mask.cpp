#include "kernels/onnx/attention_mask.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/onnx/constant_move.h"
#include "kernels/onnx/shapes.h"
#include "kernels/onnx/unsupported.h"

namespace rightsize::onnx {
namespace {

[[noreturn]] void refuse(const Tensor& mask) {
  throw Unsupported(
      fmt::format("a mask of {} that neither shows every position nor those up to its own",
                  to_string(mask.dims)));
}

}  // namespace

// By the mask's own elements: an axis it does not have makes no difference.
Mask read_mask(const Tensor& mask, const Dims& dims, int (*visible)(double)) {
  auto own = mask.dims;
  own.insert(own.begin(), dims.size() - std::min(dims.size(), own.size()), 1);
  if (broadcast(own, dims) != dims) {
    throw Unsupported(fmt::format("a mask of {} on {}", to_string(mask.dims), to_string(dims)));
  }
  const auto rows = static_cast<std::size_t>(own[own.size() - 2]);
  const auto columns = static_cast<std::size_t>(own.back());
  const auto count = static_cast<std::size_t>(element_count(own));
  bool all = true;
  bool lower = rows > 1 && rows == columns;
  for (std::size_t i = 0; i < count; ++i) {
    const int seen = visible(number(mask, i));
    if (seen != 0 && seen != 1) {
      refuse(mask);
    }
    const bool below = i % columns <= i / columns % rows;
    all = all && seen == 1;
    lower = lower && (seen == 1) == below;
  }
  if (!all && !lower) {
    refuse(mask);
  }
  return all ? Mask::none : Mask::causal;
}

}  // namespace rightsize::onnx
