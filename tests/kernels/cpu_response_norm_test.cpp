#include <cmath>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/cpu/local_response_lines.h"
#include "support/approx.h"
#include "support/tiny_batch.h"

using namespace rightsize;
using cpu::ResponseNorm;

namespace {

// Krizhevsky, Sutskever and Hinton, "ImageNet classification with deep convolutional neural
// networks" (2012), section 3.3, in FP64; windows as ONNX's LRN has them: from floor((size - 1) /
// 2) channels before to ceil((size - 1) / 2) after.
double sum_of(const ResponseNorm& norm, const float* row, std::int64_t channel) {
  double squares = 0;
  const double others = static_cast<double>(norm.size) - 1;
  const auto first = channel - static_cast<std::int64_t>(std::floor(others / 2));
  const auto last = channel + static_cast<std::int64_t>(std::ceil(others / 2));
  for (auto c = first; c <= last; ++c) {
    if (c >= 0 && c < norm.channels) {
      squares += static_cast<double>(row[c]) * static_cast<double>(row[c]);
    }
  }
  return static_cast<double>(norm.k) +
         static_cast<double>(norm.alpha) / static_cast<double>(norm.size) * squares;
}

// The sum of dy y over an image whose first value but `at` is as in x: a number to differentiate.
double weighed(const ResponseNorm& norm,
               const std::vector<float>& x,
               const std::vector<float>& dy) {
  double total = 0;
  for (std::int64_t i = 0; i < norm.rows * norm.channels; ++i) {
    const auto* row = x.data() + i / norm.channels * norm.channels;
    const auto s = sum_of(norm, row, i % norm.channels);
    total += static_cast<double>(dy[static_cast<std::size_t>(i)]) *
             static_cast<double>(x[static_cast<std::size_t>(i)]) *
             std::pow(s, -static_cast<double>(norm.beta));
  }
  return total;
}

}  // namespace

TEST_CASE("cpu response norm: windows of any width, and any power, against FP64") {
  for (const auto& [channels, size, beta] : {std::tuple{64, 9, 0.75F},
                                             std::tuple{7, 9, 0.75F},
                                             std::tuple{37, 4, 0.6F},
                                             std::tuple{1, 5, 0.75F},
                                             std::tuple{96, 5, 1.0F}}) {
    CAPTURE(channels);
    CAPTURE(size);
    const ResponseNorm norm{5, channels, size, 0.4F, beta, 2};
    const auto count = static_cast<std::size_t>(norm.rows * norm.channels);
    auto x = test::noise(count, 3);
    const auto dy = test::noise(count, 4);
    std::vector<float> s(count), y(count), terms(count), dx(count);
    cpu::normalise_responses(norm, x.data(), s.data(), y.data());
    cpu::response_gradients(norm, x.data(), s.data(), dy.data(), terms.data(), dx.data());
    for (std::size_t i = 0; i < count; i += 3) {
      const auto c = static_cast<std::int64_t>(i) % norm.channels;
      const auto expected = static_cast<double>(x[i]) *
                            std::pow(sum_of(norm, x.data() + (i - static_cast<std::size_t>(c)), c),
                                     -static_cast<double>(norm.beta));
      CHECK(static_cast<double>(y[i]) == test::approx(expected).epsilon(1e-5));
      const float value = x[i];
      constexpr float step = 1.0F / 1024;
      x[i] = value + step;
      const double up = weighed(norm, x, dy);
      x[i] = value - step;
      const double down = weighed(norm, x, dy);
      x[i] = value;
      CHECK(static_cast<double>(dx[i]) ==
            test::approx((up - down) / (2 * static_cast<double>(step))).epsilon(1e-3));
    }
  }
}
