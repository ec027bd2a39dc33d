#include "kernels/cpu/panels.h"

#include <vector>

#include <doctest/doctest.h>

#include "support/approx.h"
#include "support/tiny_batch.h"

using namespace rightsize;

namespace {

struct Case {
  cpu::ProductShape shape;
  bool transposed;
  bool accumulate;
};

void check_product(const Case& test) {
  const auto [m, n, k] = test.shape;
  const auto packed_rows = k + 3;  // B may have more rows than are read
  const auto stride = cpu::whole_panels(n);
  const auto a = test::noise(static_cast<std::size_t>(m * k), 1);
  const auto b = test::noise(static_cast<std::size_t>(k * n), 2);
  std::vector<float> packed(static_cast<std::size_t>(cpu::packed_size(packed_rows, n)));
  for (std::int64_t i = 0; i < k; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      packed[static_cast<std::size_t>(cpu::packed_index(packed_rows, i, j))] =
          b[static_cast<std::size_t>(i * n + j)];
    }
  }
  std::vector<float> c(static_cast<std::size_t>(m * stride), 2.0F);
  const cpu::StridedMatrix left{a.data(), test.transposed ? 1 : k, test.transposed ? m : 1};
  cpu::multiply(left, packed.data(), packed_rows, {c.data(), stride}, test.shape, test.accumulate);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double expected = test.accumulate ? 2 : 0;
      for (std::int64_t q = 0; q < k; ++q) {
        const auto at = test.transposed ? q * m + i : i * k + q;
        expected += static_cast<double>(a[static_cast<std::size_t>(at)]) *
                    static_cast<double>(b[static_cast<std::size_t>(q * n + j)]);
      }
      REQUIRE(static_cast<double>(c[static_cast<std::size_t>(i * stride + j)]) ==
              test::approx(expected).epsilon(1e-4).scale(10));
    }
  }
}

}  // namespace

TEST_CASE("panels: products of odd shapes equal the definition, transposed and added up") {
  for (const bool transposed : {false, true}) {
    for (const bool accumulate : {false, true}) {
      for (const cpu::ProductShape shape : {cpu::ProductShape{1, 1, 1},
                                            cpu::ProductShape{6, 32, 4},
                                            cpu::ProductShape{7, 33, 5},
                                            cpu::ProductShape{48, 100, 61},
                                            cpu::ProductShape{13, 64, 48}}) {
        check_product({shape, transposed, accumulate});
      }
    }
  }
}
