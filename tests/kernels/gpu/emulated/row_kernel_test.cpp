// The kernels that work row by row on sequences: row_norm.cu, gated_silu.cu and
// matrix_vector.cu.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "kernels/gpu/emulated/tensor.h"
#include "kernels/gpu/sequence_kernels.h"

namespace rightsize::test {
namespace {

using gpu::ElementType;
using gpu::TensorShape;

std::size_t index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

constexpr float epsilon = 1e-3F;

// Layer normalisation, or RMS normalisation where nothing is centred; shift may be empty.
Values normalised(const Values& x, const Values& scale, const Values& shift, bool centred) {
  const auto width = scale.size();
  Values y(x.size());
  for (std::size_t row = 0; row < x.size(); row += width) {
    double mean = 0;
    double squares = 0;
    for (std::size_t c = 0; centred && c < width; ++c) {
      mean += x[row + c] / static_cast<double>(width);
    }
    for (std::size_t c = 0; c < width; ++c) {
      squares += std::pow(x[row + c] - mean, 2) / static_cast<double>(width);
    }
    const double inverse = 1 / std::sqrt(squares + static_cast<double>(epsilon));
    for (std::size_t c = 0; c < width; ++c) {
      y[row + c] = (x[row + c] - mean) * inverse * scale[c] + (shift.empty() ? 0 : shift[c]);
    }
  }
  return y;
}

struct RowNormCase {
  RowNormCase(const TensorShape& of, ElementType type, bool with_mean)
      : shape(of),
        centred(with_mean),
        x(type, random_values(of.elements(), 68)),
        y(type, of.elements()),
        scale(as_floats(random_values(of.c, 69))),
        shift(as_floats(random_values(of.c, 70))),
        statistics(index(2 * of.rows())) {
    gpu::launch_row_norm(x.data(), y.data(), parameters(), type, shape, nullptr);
  }

  [[nodiscard]] gpu::RowNormParameters parameters() const {
    return {scale.data(), centred ? shift.data() : nullptr, statistics.data(), epsilon, centred};
  }
  [[nodiscard]] Values scales() const { return as_doubles(scale.values()); }
  [[nodiscard]] Values shifts() const { return centred ? as_doubles(shift.values()) : Values{}; }

  TensorShape shape;
  bool centred;
  DeviceTensor x, y;
  DeviceArray<float> scale, shift, statistics;
};

constexpr TensorShape normed[] = {{2, 5, 1, 16}, {3, 7, 1, 5}, {1, 2, 1, 300}, {1, 70, 1, 33}};

TEST_CASE("emulated kernels: normalisation of each row, with and without its mean") {
  for (auto type : all_types) {
    for (const auto& shape : normed) {
      for (const bool centred : {false, true}) {
        const RowNormCase c(shape, type, centred);
        check_near(
            c.y.values(), normalised(c.x.values(), c.scales(), c.shifts(), centred), type, 5);
      }
    }
  }
}

TEST_CASE("emulated kernels: gradients of a row's normalisation, in the place of what arrives") {
  for (auto type : all_types) {
    for (const auto& shape : normed) {
      for (const bool centred : {false, true}) {
        const RowNormCase c(shape, type, centred);
        const DeviceTensor dy(type, random_values(shape.elements(), 71));
        const auto arriving = dy.values();
        const DeviceArray<float> by_scale(index(shape.c));
        const DeviceArray<float> by_shift(index(shape.c));
        const DeviceArray<float> partials(index(gpu::partial_floats(shape, 2)));
        gpu::launch_row_norm_backward(
            c.x.data(),
            c.parameters(),
            {dy.data(), dy.data(), by_scale.data(), centred ? by_shift.data() : nullptr},
            partials.data(),
            type,
            shape,
            nullptr);
        partials.check();
        const auto of_x = [&](const Values& x) {
          return normalised(x, c.scales(), c.shifts(), centred);
        };
        check_near(dy.values(), finite_differences(of_x, c.x.values(), arriving), type, 20);
        const auto of_scale = [&](const Values& scale) {
          return normalised(c.x.values(), scale, c.shifts(), centred);
        };
        check_near(as_doubles(by_scale.values()),
                   finite_differences(of_scale, c.scales(), arriving),
                   ElementType::f32,
                   20);
        if (centred) {
          Values sums(index(shape.c), 0);
          for (std::size_t i = 0; i < arriving.size(); ++i) {
            sums[i % sums.size()] += arriving[i];
          }
          check_near(as_doubles(by_shift.values()), sums, ElementType::f32, 20);
        }
      }
    }
  }
}

Values gated(const Values& x, std::size_t width) {
  Values y;
  for (std::size_t row = 0; row < x.size(); row += 2 * width) {
    for (std::size_t c = 0; c < width; ++c) {
      y.push_back(x[row + c] / (1 + std::exp(-x[row + c])) * x[row + width + c]);
    }
  }
  return y;
}

TEST_CASE("emulated kernels: SwiGLU's gate and its gradient") {
  for (auto type : all_types) {
    for (const auto& [rows, width] : {std::pair<int, int>{3, 8}, {5, 7}, {1, 1}, {40, 24}}) {
      const DeviceTensor x(type, random_values(2 * rows * width, 72));
      const DeviceTensor y(type, rows * width);
      gpu::launch_gated_silu(x.data(), y.data(), type, rows, width, nullptr);
      const auto gate = [width = width](const Values& at) { return gated(at, index(width)); };
      check_near(y.values(), gate(x.values()), type);
      const DeviceTensor dy(type, random_values(rows * width, 73));
      const DeviceTensor dx(type, 2 * rows * width);
      gpu::launch_gated_silu_backward(x.data(), dy.data(), dx.data(), type, rows, width, nullptr);
      check_near(dx.values(), finite_differences(gate, x.values(), dy.values()), type);
    }
  }
}

TEST_CASE("emulated kernels: few rows times a matrix, with and without bias and ReLU") {
  for (auto type : all_types) {
    for (const auto& [in, out] : {std::pair<int, int>{64, 9}, {7, 20}, {300, 3}, {1, 1}}) {
      for (std::int64_t rows = 1; rows <= gpu::matrix_vector_rows; ++rows) {
        for (const bool ends : {false, true}) {
          const DeviceTensor weights(type, random_values(in * out, 74));
          const DeviceTensor x(type, random_values(rows * in, 75));
          const DeviceArray<float> bias(as_floats(random_values(out, 76)));
          const DeviceTensor y(type, rows * out);
          gpu::launch_matrix_vector(
              {weights.data(), x.data(), ends ? bias.data() : nullptr, y.data()},
              type,
              {rows, in, out, ends},
              nullptr);
          const auto w = weights.values();
          const auto v = x.values();
          Values expected;
          for (std::int64_t i = 0; i < rows * out; ++i) {
            const auto column = i % out;
            double sum = ends ? static_cast<double>(bias.values()[index(column)]) : 0;
            for (std::int64_t k = 0; k < in; ++k) {
              sum += w[index(column * in + k)] * v[index(i / out * in + k)];
            }
            expected.push_back(ends ? std::max(sum, 0.0) : sum);
          }
          check_near(y.values(), expected, type, 10);
        }
      }
    }
  }
}

}  // namespace
}  // namespace rightsize::test
