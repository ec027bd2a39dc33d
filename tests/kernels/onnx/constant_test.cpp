// Constants that are computed while a file is read: what the operators give, and what a malformed
// file may ask for and must not get.
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "kernels/onnx/constant_fold.h"
#include "kernels/onnx/shapes.h"

namespace {

using namespace rightsize::onnx;

constexpr auto least = std::numeric_limits<std::int64_t>::min();
constexpr auto most = std::numeric_limits<std::int64_t>::max();
constexpr float infinite = std::numeric_limits<float>::infinity();

Tensor integers(Dims dims, std::vector<std::int64_t> values) {
  return {std::move(dims), true, {}, std::move(values)};
}

Tensor floats(Dims dims, std::vector<float> values) {
  return {std::move(dims), false, std::move(values), {}};
}

std::optional<Tensor> folded(const std::string& op, const std::vector<Tensor>& inputs) {
  Node node;
  node.op = op;
  FoldInputs known;
  for (const auto& input : inputs) {
    known.tensors.push_back(&input);
    known.dims.push_back(&input.dims);
  }
  return fold_constant(node, known);
}

}  // namespace

TEST_CASE("onnx constants: inverses and roots are of floating-point numbers alone") {
  CHECK(folded("Reciprocal", {floats({2}, {4, 0})})->floats == std::vector<float>{0.25F, infinite});
  const auto roots = folded("Sqrt", {floats({2}, {9, -1})})->floats;
  CHECK(roots[0] == 3);
  CHECK(std::isnan(roots[1]));
  CHECK_FALSE(folded("Reciprocal", {integers({1}, {0})}));
  CHECK_FALSE(folded("Reciprocal", {integers({1}, {4})}));
  CHECK_FALSE(folded("Sqrt", {integers({1}, {-1})}));
  CHECK(folded("Neg", {integers({2}, {5, -7})})->ints == Dims{-5, 7});
  CHECK_FALSE(folded("Neg", {integers({1}, {least})}));
  CHECK_FALSE(folded("Abs", {integers({1}, {least})}));
}

TEST_CASE("onnx constants: a range is of one type, and of numbers that it can hold") {
  CHECK(folded("Range", {integers({}, {1}), integers({}, {8}), integers({}, {3})})->ints ==
        Dims{1, 4, 7});
  CHECK(folded("Range", {floats({}, {1}), floats({}, {2}), floats({}, {0.5F})})->floats ==
        std::vector<float>{1, 1.5F});
  CHECK_FALSE(folded("Range", {integers({}, {0}), floats({}, {2e30F}), floats({}, {1e30F})}));
  CHECK_FALSE(folded("Range", {integers({}, {0}), floats({}, {infinite}), floats({}, {infinite})}));
  CHECK_FALSE(folded("Range", {integers({}, {0}), integers({}, {most}), integers({}, {most})}));
  CHECK_FALSE(folded("Range", {integers({}, {0}), integers({}, {8}), integers({}, {0})}));
}

TEST_CASE("onnx constants: a triangle's diagonal is near the matrix or nowhere") {
  const auto square = integers({2, 2}, {1, 2, 3, 4});
  CHECK(folded("Trilu", {square})->ints == Dims{1, 2, 0, 4});
  CHECK(folded("Trilu", {square, integers({}, {1})})->ints == Dims{0, 2, 0, 0});
  CHECK(folded("Trilu", {square, integers({}, {-largest_size})})->ints == square.ints);
  CHECK_FALSE(folded("Trilu", {square, integers({}, {least})}));
  CHECK_FALSE(folded("Trilu", {square, integers({}, {most})}));
}

TEST_CASE("onnx constants: what is picked or cut lies within, whatever the file says") {
  const auto data = integers({3}, {7, 8, 9});
  CHECK(folded("Gather", {data, integers({2}, {-1, 0})})->ints == Dims{9, 7});
  CHECK_FALSE(folded("Gather", {data, integers({1}, {most})}));
  CHECK_FALSE(folded("Gather", {data, integers({1}, {least})}));
  CHECK(folded("Slice", {data, integers({1}, {least}), integers({1}, {most})})->ints == data.ints);
  CHECK(folded("Slice", {data, integers({1}, {most}), integers({1}, {least})})->ints.empty());
  CHECK(folded("Slice", {data, integers({1}, {-2}), integers({1}, {-1})})->ints == Dims{8});
}

TEST_CASE("onnx constants: a place is counted from the end, or is the nearest there is") {
  CHECK(clamped_place(2, 5) == 2);
  CHECK(clamped_place(-2, 5) == 3);
  CHECK(clamped_place(-6, 5) == 0);
  CHECK(clamped_place(6, 5) == 5);
  CHECK(clamped_place(least, 5) == 0);
  CHECK(clamped_place(most, 5) == 5);
}
