#include "kernels/cpu/matrix_vector.h"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "support/approx.h"
#include "support/tiny_batch.h"

using namespace rightsize;

namespace {

template <typename Element>
std::vector<Element> narrowed(const std::vector<float>& values) {
  std::vector<Element> result;
  for (const float value : values) {
    result.push_back(Element(value));
  }
  return result;
}

// Against the definition in double; the inputs are taken as the element type has them.
template <typename Element>
void check_product(const cpu::MatrixVectorShape& shape, bool with_bias, double tolerance) {
  const auto x = test::noise(static_cast<std::size_t>(shape.rows * shape.in), 1);
  const auto weights =
      narrowed<Element>(test::noise(static_cast<std::size_t>(shape.out * shape.in), 2));
  const auto bias = test::noise(static_cast<std::size_t>(shape.out), 3);
  std::vector<Element> y(static_cast<std::size_t>(shape.rows * shape.out));
  cpu::matrix_vector(x.data(), weights.data(), with_bias ? bias.data() : nullptr, y.data(), shape);
  for (std::int64_t n = 0; n < shape.rows; ++n) {
    for (std::int64_t k = 0; k < shape.out; ++k) {
      double expected = with_bias ? static_cast<double>(bias[static_cast<std::size_t>(k)]) : 0;
      for (std::int64_t c = 0; c < shape.in; ++c) {
        const auto weight = static_cast<float>(weights[static_cast<std::size_t>(k * shape.in + c)]);
        expected += static_cast<double>(x[static_cast<std::size_t>(n * shape.in + c)]) *
                    static_cast<double>(weight);
      }
      expected = shape.relu ? std::max(expected, 0.0) : expected;
      const auto found = static_cast<float>(y[static_cast<std::size_t>(n * shape.out + k)]);
      REQUIRE(static_cast<double>(found) == test::approx(expected).epsilon(tolerance).scale(10));
    }
  }
}

}  // namespace

TEST_CASE("matrix vector: one and two rows of odd widths equal the definition") {
  for (std::int64_t rows = 1; rows <= cpu::matrix_vector_rows; ++rows) {
    for (const bool extra : {false, true}) {
      check_product<float>({rows, 203, 131, extra}, extra, 1e-5);
      check_product<float>({rows, 5, 3, extra}, !extra, 1e-5);
      check_product<cpu::Bf16>({rows, 203, 131, extra}, extra, 8e-3);
    }
  }
}

TEST_CASE("bf16: rounds to the nearest, ties to even") {
  const auto rounded = [](float value) { return static_cast<float>(cpu::Bf16(value)); };
  CHECK(rounded(1.0F) == 1.0F);
  CHECK(rounded(1.0F + 0x1p-8F) == 1.0F);              // halfway, down to even
  CHECK(rounded(1.0F + 3 * 0x1p-8F) == 1.015625F);     // halfway, up to even
  CHECK(rounded(1.0F + 0x1.2p-8F) == 1.0F + 0x1p-7F);  // above halfway
  CHECK(rounded(-3.140625F) == -3.140625F);
}
