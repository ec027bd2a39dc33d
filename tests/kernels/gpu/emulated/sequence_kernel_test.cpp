// The kernels of the layers of sequences but attention: embedding.cu, row_norm.cu, gated_silu.cu,
// matrix_vector.cu, noise.cu, and loss.cu where some rows have no label.
#include <cmath>

#include <doctest/doctest.h>

#include "kernels/cpu/random.h"
#include "kernels/gpu/emulated/tensor.h"
#include "kernels/gpu/noise.h"
#include "kernels/gpu/sequence_kernels.h"

namespace rightsize::test {
namespace {

using gpu::ElementType;
using gpu::TensorShape;

std::size_t index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

// Ids that repeat, so that rows of a table are read more than once and some never.
std::vector<int> some_tokens(std::int64_t count, int vocabulary) {
  std::vector<int> tokens;
  for (std::int64_t i = 0; i < count; ++i) {
    tokens.push_back(static_cast<int>((i * i + 3 * i) % vocabulary));
  }
  return tokens;
}

DeviceArray<gpu::StepState> state_at(int position) {
  gpu::StepState state{};
  state.loss_scale = 4;
  state.position = position;
  return DeviceArray<gpu::StepState>(std::vector<gpu::StepState>{state});
}

constexpr TensorShape sequences[] = {{2, 5, 1, 16}, {3, 7, 1, 5}, {1, 1, 1, 1}, {2, 150, 1, 33}};

TEST_CASE("emulated kernels: rows of a table by ids, and their gradients added up") {
  constexpr int vocabulary = 13;
  for (auto type : all_types) {
    for (const auto& shape : sequences) {
      const DeviceTensor table(type, random_values(vocabulary * shape.c, 61));
      const auto ids = some_tokens(shape.rows(), vocabulary);
      const DeviceArray<int> tokens(ids);
      const DeviceTensor y(type, shape.elements());
      gpu::launch_look_up(table.data(), tokens.data(), y.data(), type, shape, nullptr);
      const DeviceTensor dy(type, random_values(shape.elements(), 62));
      const DeviceArray<float> gradient(
          std::vector<float>(index(vocabulary * shape.c), 0.5F));  // another layer's share
      gpu::launch_look_up_gradient(dy.data(), tokens.data(), gradient.data(), type, shape, nullptr);
      const auto rows = table.values();
      const auto arriving = dy.values();
      Values found;
      Values sums(rows.size(), 0.5);
      for (std::int64_t i = 0; i < shape.elements(); ++i) {
        const auto at = ids[index(i / shape.c)] * shape.c + i % shape.c;
        found.push_back(rows[index(at)]);
        sums[index(at)] += arriving[index(i)];
      }
      CHECK(y.values() == found);
      check_near(as_doubles(gradient.values()), sums, ElementType::f32, 20);
    }
  }
}

TEST_CASE("emulated kernels: a row of more features than one block adds up") {
  const TensorShape shape{1, 4, 1, 1500};
  const DeviceArray<int> tokens(std::vector<int>{2, 0, 2, 2});
  const DeviceTensor dy(ElementType::f32, random_values(shape.elements(), 63));
  const DeviceArray<float> gradient(std::vector<float>(3 * 1500, 0.0F));
  gpu::launch_look_up_gradient(
      dy.data(), tokens.data(), gradient.data(), ElementType::f32, shape, nullptr);
  const auto arriving = dy.values();
  Values sums(3 * 1500, 0);
  for (std::size_t c = 0; c < 1500; ++c) {
    sums[c] = arriving[1500 + c];
    sums[3000 + c] = arriving[c] + arriving[3000 + c] + arriving[4500 + c];
  }
  check_near(as_doubles(gradient.values()), sums, ElementType::f32, 3);
}

TEST_CASE("emulated kernels: a one among zeros") {
  for (auto type : all_types) {
    const TensorShape shape{2, 3, 1, 5};
    const std::vector<int> ids{0, 4, 2, 2, 1, 3};
    const DeviceArray<int> tokens(ids);
    const DeviceTensor y(type, shape.elements());
    gpu::launch_one_hot(tokens.data(), y.data(), type, shape, nullptr);
    Values expected(30, 0);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      expected[i * 5 + index(ids[i])] = 1;
    }
    CHECK(y.values() == expected);
  }
}

TEST_CASE("emulated kernels: learned positions, from the start or one at a time, and a segment") {
  for (auto type : all_types) {
    for (const auto& shape : sequences) {
      for (const int position : {0, 3}) {
        const DeviceTensor x(type, random_values(shape.elements(), 64));
        const DeviceTensor table(type, random_values((shape.h + 3) * shape.c, 65));
        const DeviceTensor segment(type, random_values(shape.c, 66));
        const auto state = state_at(position);
        for (const bool with_segment : {false, true}) {
          const DeviceTensor y(type, shape.elements());
          gpu::launch_add_positions(x.data(),
                                    table.data(),
                                    with_segment ? segment.data() : nullptr,
                                    y.data(),
                                    type,
                                    shape,
                                    state.data(),
                                    nullptr);
          auto expected = x.values();
          for (std::int64_t i = 0; i < shape.elements(); ++i) {
            const auto t = i / shape.c % shape.h + position;
            expected[index(i)] += table.values()[index(t * shape.c + i % shape.c)] +
                                  (with_segment ? segment.values()[index(i % shape.c)] : 0);
          }
          check_near(y.values(), expected, type);
        }
      }
    }
  }
}

TEST_CASE("emulated kernels: the gradient of learned positions is the sum over the items") {
  for (auto type : all_types) {
    for (const auto& shape : sequences) {
      const DeviceTensor dy(type, random_values(shape.elements(), 67));
      const DeviceArray<float> gradient(index(shape.h * shape.c));
      gpu::launch_position_gradient(dy.data(), gradient.data(), type, shape, nullptr);
      const auto arriving = dy.values();
      Values sums(index(shape.h * shape.c), 0);
      for (std::size_t i = 0; i < arriving.size(); ++i) {
        sums[i % sums.size()] += arriving[i];
      }
      check_near(as_doubles(gradient.values()), sums, ElementType::f32, 3);
    }
  }
}

TEST_CASE("emulated kernels: the position moves on, and behind the last to the prompt's end") {
  const auto state = state_at(3);
  gpu::launch_next_position(state.data(), 2, 5, nullptr);
  CHECK(state.values()[0].position == 4);
  gpu::launch_next_position(state.data(), 2, 5, nullptr);
  CHECK(state.values()[0].position == 2);
  CHECK(state.values()[0].step == 2);
}

TEST_CASE("emulated kernels: parameters start with the CPU engine's numbers, channels last") {
  constexpr gpu::NoiseShape shape{3, 5, 7};
  constexpr std::uint64_t key = 0x1234567890abcdefULL;
  for (auto type : all_types) {
    const DeviceTensor out(type, 3 * 5 * 7);
    gpu::launch_noise(out.data(), type, shape, 1.5F, 0.25F, key, nullptr);
    Values expected;
    for (std::uint64_t k = 0; k < 3; ++k) {
      for (std::uint64_t at = 0; at < 7; ++at) {
        for (std::uint64_t c = 0; c < 5; ++c) {
          const auto noise = static_cast<double>(cpu::normal(key, (k * 5 + c) * 7 + at));
          expected.push_back(1.5 + 0.25 * noise);
        }
      }
    }
    check_near(out.values(), expected, type);
    gpu::launch_noise(out.data(), type, shape, 0.5F, 0.0F, key, nullptr);
    CHECK(out.values() == Values(3 * 5 * 7, 0.5));
  }
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
  RowNormCase(const TensorShape& shape, ElementType type, bool with_mean)
      : shape(shape),
        centred(with_mean),
        x(type, random_values(shape.elements(), 68)),
        y(type, shape.elements()),
        scale(as_floats(random_values(shape.c, 69))),
        shift(as_floats(random_values(shape.c, 70))),
        statistics(index(2 * shape.rows())) {
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

TEST_CASE("emulated kernels: rows without a label count for nothing in loss, hits and gradient") {
  constexpr std::int64_t classes = 11;
  for (auto type : all_types) {
    const std::vector<int> labels{3, -1, 0, -100, 10, -1};
    const DeviceArray<int> on_device(labels);
    const DeviceTensor scores(type, random_values(6 * classes, 77));
    const DeviceTensor gradient(type, 6 * classes);
    const DeviceArray<float> partials(12);
    const auto state = state_at(0);
    gpu::launch_softmax_loss(scores.data(),
                             on_device.data(),
                             gradient.data(),
                             partials.data(),
                             state.data(),
                             type,
                             6,
                             classes,
                             nullptr);
    const auto loss = [&](const Values& at) {
      double sum = 0;
      for (std::size_t i = 0; i < labels.size(); ++i) {
        double total = 0;
        for (std::size_t c = 0; c < classes; ++c) {
          total += std::exp(at[i * classes + c]);
        }
        sum += labels[i] < 0 ? 0 : std::log(total) - at[i * classes + index(labels[i])];
      }
      return Values{sum / 3};
    };
    const auto in = scores.values();
    CHECK(state.values()[0].labelled == 3);
    CHECK(static_cast<double>(state.values()[0].loss) == doctest::Approx(loss(in)[0]));
    check_near(gradient.values(), finite_differences(loss, in, {4.0}), type);
  }
}

TEST_CASE("emulated kernels: a batch without any label has no loss and no gradient") {
  const DeviceArray<int> labels(std::vector<int>{-1, -1});
  const DeviceTensor scores(ElementType::f32, random_values(10, 78));
  const DeviceTensor gradient(ElementType::f32, 10);
  const DeviceArray<float> partials(4);
  const auto state = state_at(0);
  gpu::launch_softmax_loss(scores.data(),
                           labels.data(),
                           gradient.data(),
                           partials.data(),
                           state.data(),
                           ElementType::f32,
                           2,
                           5,
                           nullptr);
  CHECK(state.values()[0].loss == 0);
  CHECK(state.values()[0].correct == 0);
  CHECK(gradient.values() == Values(10, 0));
}

}  // namespace
}  // namespace rightsize::test
