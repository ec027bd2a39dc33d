#include "kernels/onnx/constant_compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "kernels/onnx/constant_move.h"
#include "kernels/onnx/shapes.h"

namespace rightsize::onnx {
namespace {

using Result = std::optional<Tensor>;

// False where `value` is none of the integers that is_exact() lets through: infinity, NaN, or
// beyond.
bool append(Tensor& tensor, double value) {
  if (!tensor.integral) {
    tensor.floats.push_back(static_cast<float>(value));
    return true;
  }
  if (!std::isfinite(value) || std::abs(value) > static_cast<double>(largest_size)) {
    return false;
  }
  tensor.ints.push_back(static_cast<std::int64_t>(value));
  return true;
}

bool is_folded_size(const Dims& dims) {
  return is_sane(dims) && element_count(dims) <= most_folded_elements;
}

struct Comparison {
  std::string_view op;
  bool (*holds)(double, double);
};

constexpr std::array comparisons{
    Comparison{"And", [](double a, double b) { return a != 0 && b != 0; }},
    Comparison{"Equal", [](double a, double b) { return a == b; }},
    Comparison{"Greater", [](double a, double b) { return a > b; }},
    Comparison{"GreaterOrEqual", [](double a, double b) { return a >= b; }},
    Comparison{"Less", [](double a, double b) { return a < b; }},
    Comparison{"LessOrEqual", [](double a, double b) { return a <= b; }},
    Comparison{"Or", [](double a, double b) { return a != 0 || b != 0; }},
    Comparison{"Xor", [](double a, double b) { return (a != 0) != (b != 0); }},
};

struct Function {
  std::string_view op;
  double (*of)(double);
  bool of_integers = true;
};

constexpr std::array functions{
    Function{"Abs", [](double x) { return std::abs(x); }},
    Function{"Ceil", [](double x) { return std::ceil(x); }},
    Function{"Cos", [](double x) { return std::cos(x); }, false},
    Function{"Floor", [](double x) { return std::floor(x); }},
    Function{"Neg", [](double x) { return -x; }},
    Function{"Reciprocal", [](double x) { return 1 / x; }, false},
    Function{"Sin", [](double x) { return std::sin(x); }, false},
    Function{"Sqrt", [](double x) { return std::sqrt(x); }, false},
};

template <typename Rows>
auto find(const Rows& rows, std::string_view op) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.op == op; });
  return found == rows.end() ? nullptr : &*found;
}

Result compared(const Comparison& comparison, const Tensor& a, const Tensor& b) {
  const auto dims = broadcast(a.dims, b.dims);
  if (!dims || !is_folded_size(*dims) || !is_exact(a) || !is_exact(b)) {
    return std::nullopt;
  }
  const auto left = spread(a, *dims);
  const auto right = spread(b, *dims);
  Tensor result{*dims, true, {}, {}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(element_count(*dims)); ++i) {
    result.ints.push_back(comparison.holds(number(left, i), number(right, i)) ? 1 : 0);
  }
  return result;
}

Result powers(const Tensor& base, const Tensor& exponent) {
  if (base.integral || element_count(exponent.dims) != 1 || !is_exact(exponent)) {
    return std::nullopt;
  }
  auto result = base;
  for (auto& value : result.floats) {
    value = static_cast<float>(std::pow(static_cast<double>(value), number(exponent, 0)));
  }
  return result;
}

Result chosen(const FoldInputs& inputs) {
  const auto& condition = *inputs.tensors[0];
  const auto& a = *inputs.tensors[1];
  const auto& b = *inputs.tensors[2];
  auto dims = broadcast(a.dims, b.dims);
  dims = dims ? broadcast(*dims, condition.dims) : dims;
  if (!dims || a.integral != b.integral || !is_folded_size(*dims)) {
    return std::nullopt;
  }
  auto result = spread(a, *dims);
  const auto other = spread(b, *dims);
  const auto holds = spread(condition, *dims);
  for (std::size_t i = 0; i < static_cast<std::size_t>(element_count(*dims)); ++i) {
    if (number(holds, i) == 0 && result.integral) {
      result.ints[i] = other.ints[i];
    } else if (number(holds, i) == 0) {
      result.floats[i] = other.floats[i];
    }
  }
  return result;
}

// start, limit, delta, all of one type.
Result range(const FoldInputs& inputs) {
  std::array<double, 3> bounds{};
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const auto& tensor = *inputs.tensors[i];
    if (element_count(tensor.dims) != 1 || tensor.integral != inputs.tensors[0]->integral ||
        !is_exact(tensor)) {
      return std::nullopt;
    }
    bounds[i] = number(tensor, 0);
  }
  const auto [start, limit, delta] = bounds;
  const double count = delta == 0 ? -1 : std::ceil((limit - start) / delta);
  if (!(count >= 0) || count > static_cast<double>(most_folded_elements)) {
    return std::nullopt;
  }
  Tensor result{{static_cast<std::int64_t>(count)}, inputs.tensors[0]->integral, {}, {}};
  for (std::int64_t i = 0; i < result.dims[0]; ++i) {
    if (!append(result, start + static_cast<double>(i) * delta)) {
      return std::nullopt;
    }
  }
  return result;
}

Result triangle(const Node& node, const FoldInputs& inputs) {
  auto result = *inputs.tensors[0];
  const bool has_diagonal = inputs.tensors.size() > 1;
  if (result.dims.size() < 2 ||
      (has_diagonal && (inputs.tensors[1]->ints.size() != 1 || !is_exact(*inputs.tensors[1])))) {
    return std::nullopt;
  }
  const auto diagonal = has_diagonal ? inputs.tensors[1]->ints[0] : 0;
  const auto rows = *(result.dims.end() - 2);
  const auto columns = result.dims.back();
  const bool upper = node.integer("upper", 1) != 0;
  for (std::int64_t i = 0; i < element_count(result.dims); ++i) {
    const auto above = i % columns - i / columns % rows - diagonal;
    if (upper ? above >= 0 : above <= 0) {
      continue;
    }
    if (result.integral) {
      result.ints[static_cast<std::size_t>(i)] = 0;
    } else {
      result.floats[static_cast<std::size_t>(i)] = 0;
    }
  }
  return result;
}

Result expanded(const Tensor& tensor, const Tensor& shape) {
  const auto dims = is_sane(shape.ints) ? broadcast(tensor.dims, shape.ints) : std::nullopt;
  return dims && is_folded_size(*dims) ? Result(spread(tensor, *dims)) : std::nullopt;
}

Result of_one(const Node& node, const Tensor& tensor) {
  if (node.op == "Not" && tensor.integral) {
    auto result = tensor;
    std::transform(result.ints.begin(), result.ints.end(), result.ints.begin(), [](auto v) {
      return v == 0 ? 1 : 0;
    });
    return result;
  }
  const auto* function = find(functions, node.op);
  if (function == nullptr || !is_exact(tensor) || (tensor.integral && !function->of_integers)) {
    return std::nullopt;
  }
  Tensor result{tensor.dims, tensor.integral, {}, {}};
  for (std::size_t i = 0; i < std::max(tensor.ints.size(), tensor.floats.size()); ++i) {
    if (!append(result, function->of(number(tensor, i)))) {
      return std::nullopt;
    }
  }
  return result;
}

}  // namespace

std::optional<Tensor> fold_comparison(const Node& node, const FoldInputs& inputs) {
  const auto count = inputs.tensors.size();
  if (const auto* comparison = find(comparisons, node.op); comparison != nullptr && count == 2) {
    return compared(*comparison, *inputs.tensors[0], *inputs.tensors[1]);
  }
  if (node.op == "Pow" && count == 2) {
    return powers(*inputs.tensors[0], *inputs.tensors[1]);
  }
  if (node.op == "Where" && count == 3) {
    return chosen(inputs);
  }
  if (node.op == "Range" && count == 3) {
    return range(inputs);
  }
  if (node.op == "Trilu") {
    return triangle(node, inputs);
  }
  if (node.op == "Expand" && count == 2) {
    return expanded(*inputs.tensors[0], *inputs.tensors[1]);
  }
  return of_one(node, *inputs.tensors[0]);
}

}  // namespace rightsize::onnx
