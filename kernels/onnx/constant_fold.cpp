#include "kernels/onnx/constant_fold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include "kernels/onnx/constant_compare.h"
#include "kernels/onnx/constant_move.h"
#include "kernels/onnx/constant_product.h"
#include "kernels/onnx/shapes.h"

namespace rightsize::onnx {
namespace {

using Result = std::optional<Tensor>;

Tensor integers(Dims dims, std::vector<std::int64_t> values) {
  return {std::move(dims), true, {}, std::move(values)};
}

Result with_dims(const Tensor& tensor, const MaybeDims& dims) {
  if (!dims) {
    return std::nullopt;
  }
  auto result = tensor;
  result.dims = *dims;
  return result;
}

Result constant(const Node& node) {
  const auto found = node.attributes.find("value");
  if (found != node.attributes.end() && found->second.tensor) {
    return *found->second.tensor;
  }
  if (node.has("value_int")) {
    return integers({}, {node.integer("value_int", 0)});
  }
  if (node.has("value_ints")) {
    const auto values = node.integers("value_ints", {});
    return integers({static_cast<std::int64_t>(values.size())}, values);
  }
  if (node.has("value_float")) {
    return Tensor{{}, false, {node.number("value_float", 0)}, {}};
  }
  if (node.has("value_floats")) {
    const auto& values = node.attributes.at("value_floats").floats;
    return Tensor{{static_cast<std::int64_t>(values.size())}, false, values, {}};
  }
  return std::nullopt;
}

// FP32 zeros unless the attribute says otherwise. Bounded, as a file may claim any shape.
Result constant_of_shape(const Node& node, const Tensor& shape) {
  if (!is_sane(shape.ints) || element_count(shape.ints) > most_folded_elements) {
    return std::nullopt;
  }
  const auto count = element_count(shape.ints);
  const auto found = node.attributes.find("value");
  const bool given = found != node.attributes.end() && found->second.tensor;
  const Tensor value = given ? *found->second.tensor : Tensor{{1}, false, {0.0F}, {}};
  if (element_count(value.dims) != 1) {
    return std::nullopt;
  }
  Tensor result{shape.ints, value.integral, {}, {}};
  if (value.integral) {
    result.ints.assign(static_cast<std::size_t>(count), value.ints[0]);
  } else {
    result.floats.assign(static_cast<std::size_t>(count), value.floats[0]);
  }
  return result;
}

// start and end since opset 15.
Result shape_of(const Node& node, const Dims& dims) {
  const auto rank = static_cast<std::int64_t>(dims.size());
  const auto first = clamped_place(node.integer("start", 0), rank);
  const auto last = std::max(first, clamped_place(node.integer("end", rank), rank));
  return integers({last - first}, {dims.begin() + first, dims.begin() + last});
}

Result cast(const Node& node, const Tensor& tensor) {
  constexpr std::array<std::int64_t, 4> floating{1, 10, 11, 16};
  const bool to_floating =
      std::find(floating.begin(), floating.end(), node.integer("to", 0)) != floating.end();
  Tensor result{tensor.dims, !to_floating, {}, {}};
  if (to_floating) {
    result.floats = tensor.floats;
    std::transform(
        tensor.ints.begin(), tensor.ints.end(), std::back_inserter(result.floats), [](auto v) {
          return static_cast<float>(v);
        });
  } else {
    const bool fits = std::all_of(tensor.floats.begin(), tensor.floats.end(), [](float v) {
      return std::abs(v) < static_cast<float>(largest_size);
    });
    if (!fits) {
      return std::nullopt;
    }
    constexpr std::int64_t boolean = 9;
    const bool truth = node.integer("to", 0) == boolean;
    result.ints = tensor.ints;
    if (truth) {
      std::transform(result.ints.begin(), result.ints.end(), result.ints.begin(), [](auto v) {
        return v != 0 ? 1 : 0;
      });
    }
    std::transform(
        tensor.floats.begin(),
        tensor.floats.end(),
        std::back_inserter(result.ints),
        [truth](float v) { return truth ? std::int64_t{v != 0} : static_cast<std::int64_t>(v); });
  }
  return result;
}

template <typename Number>
Number computed(std::string_view op, Number a, Number b) {
  return op == "Add" ? a + b : op == "Sub" ? a - b : op == "Mul" ? a * b : a / b;
}

Result arithmetic(const Node& node, const Tensor& a, const Tensor& b) {
  const auto dims = broadcast(a.dims, b.dims);
  const bool by_zero =
      node.op == "Div" && std::find(b.ints.begin(), b.ints.end(), 0) != b.ints.end();
  const bool fits =
      is_exact(a) && is_exact(b) && dims && element_count(*dims) <= most_folded_elements;
  if (!fits || a.integral != b.integral || by_zero) {
    return std::nullopt;
  }
  auto left = spread(a, *dims);
  const auto right = spread(b, *dims);
  for (std::size_t i = 0; i < left.ints.size(); ++i) {
    left.ints[i] = computed(node.op, left.ints[i], right.ints[i]);
  }
  for (std::size_t i = 0; i < left.floats.size(); ++i) {
    left.floats[i] = computed(node.op, left.floats[i], right.floats[i]);
  }
  return left;
}

MaybeDims axes_of(const Node& node, const FoldInputs& inputs) {
  if (inputs.tensors.size() > 1 && inputs.tensors[1] != nullptr) {
    return inputs.tensors[1]->ints;
  }
  return node.has("axes") ? MaybeDims(node.integers("axes", {})) : std::nullopt;
}

// One tensor and what the node says about its shape.
Result reshaping(const Node& node, const FoldInputs& inputs) {
  const auto& tensor = *inputs.tensors[0];
  if (node.op == "Reshape" && inputs.tensors.size() == 2) {
    return with_dims(
        tensor, reshaped(tensor.dims, inputs.tensors[1]->ints, node.integer("allowzero", 0) != 0));
  }
  if (node.op == "Unsqueeze") {
    const auto axes = axes_of(node, inputs);
    return axes ? with_dims(tensor, unsqueezed(tensor.dims, *axes)) : std::nullopt;
  }
  if (node.op == "Squeeze") {
    return with_dims(tensor, squeezed(tensor.dims, axes_of(node, inputs)));
  }
  return std::nullopt;
}

Result arithmetic(const Node& node, const FoldInputs& inputs) {
  return inputs.tensors.size() == 2 ? arithmetic(node, *inputs.tensors[0], *inputs.tensors[1])
                                    : std::nullopt;
}

// All inputs are constants.
struct Fold {
  std::string_view op;
  Result (*of)(const Node&, const FoldInputs&);
};

template <Result (*Function)(const Node&, const Tensor&)>
Result of_first(const Node& node, const FoldInputs& inputs) {
  return Function(node, *inputs.tensors[0]);
}

constexpr std::array folds{
    Fold{"Add", arithmetic},
    Fold{"Cast", of_first<cast>},
    Fold{"Concat", concat},
    Fold{"ConstantOfShape", of_first<constant_of_shape>},
    Fold{"Div", arithmetic},
    Fold{"Einsum", fold_product},
    Fold{"Gather",
         [](const Node& node, const FoldInputs& inputs) {
           return inputs.tensors.size() == 2 ? gather(node, *inputs.tensors[0], *inputs.tensors[1])
                                             : std::nullopt;
         }},
    Fold{"Identity",
         [](const Node&, const FoldInputs& inputs) { return Result(*inputs.tensors[0]); }},
    Fold{"MatMul", fold_product},
    Fold{"Mul", arithmetic},
    Fold{"Reshape", reshaping},
    Fold{"Slice", slice},
    Fold{"Squeeze", reshaping},
    Fold{"Sub", arithmetic},
    Fold{"Transpose", of_first<transpose>},
    Fold{"Unsqueeze", reshaping},
};

}  // namespace

std::optional<Tensor> fold_constant(const Node& node, const FoldInputs& inputs) {
  if (node.op == "Constant") {
    return constant(node);
  }
  if (node.op == "Shape") {
    const bool known = !inputs.dims.empty() && inputs.dims[0] != nullptr;
    return known ? shape_of(node, *inputs.dims[0]) : std::nullopt;
  }
  if (inputs.tensors.empty() ||
      std::find(inputs.tensors.begin(), inputs.tensors.end(), nullptr) != inputs.tensors.end()) {
    return std::nullopt;
  }
  const auto found = std::find_if(
      folds.begin(), folds.end(), [&](const Fold& fold) { return fold.op == node.op; });
  return found != folds.end() ? found->of(node, inputs) : fold_comparison(node, inputs);
}

}  // namespace rightsize::onnx
