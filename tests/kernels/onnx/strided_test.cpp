// Views by strides: the algebra that turns an exporter's reshapes and transposes into nothing.
#include "kernels/onnx/strided.h"

#include <doctest/doctest.h>

using namespace rightsize::onnx;

TEST_CASE("onnx strides: axes of one size, joined and parted, stay a view") {
  const Dims strides = dense_strides({2, 3, 4});
  CHECK(strides == Dims{12, 4, 1});
  CHECK(is_dense({2, 3, 4}, strides));
  CHECK(reshaped_strides({2, 3, 4}, strides, {2, 3, 2, 2}) == Dims{12, 4, 2, 1});
  CHECK(reshaped_strides({2, 3, 4}, strides, {6, 4}) == Dims{4, 1});
  CHECK(reshaped_strides({2, 3, 4}, strides, {1, 24}) == Dims{0, 1});
}

TEST_CASE("onnx strides: what lies apart is not joined") {
  // 2 x 3 turned: 3 x 2 with strides 1, 3.
  CHECK_FALSE(is_dense({3, 2}, {1, 3}));
  CHECK_FALSE(reshaped_strides({3, 2}, {1, 3}, Dims{6}));
  CHECK(reshaped_strides({3, 2}, {1, 3}, {3, 1, 2}) == Dims{1, 0, 3});
  // Two of three columns: rows cannot run into each other.
  CHECK_FALSE(reshaped_strides({2, 2}, {3, 1}, Dims{4}));
  CHECK_FALSE(reshaped_strides({2, 2}, {3, 1}, Dims{3}));
}

TEST_CASE("onnx strides: an axis of size 1 may lie anywhere") {
  CHECK(is_dense({4, 1, 2}, {2, 77, 1}));
  CHECK(reshaped_strides({4, 1, 2}, {2, 77, 1}, Dims{8}) == Dims{1});
}

TEST_CASE("onnx strides: an empty tensor's huge axes stay within 64 bits") {
  const auto huge = largest_size;
  const auto strides = dense_strides({0, huge, huge, huge, huge});
  CHECK(strides[0] == std::int64_t{1} << 62);
  CHECK(strides[2] == huge * huge);
  CHECK(strides[4] == 1);
}
