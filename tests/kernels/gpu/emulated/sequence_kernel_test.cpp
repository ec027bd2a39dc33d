// The kernels that turn ids into rows and tell positions apart: embedding.cu and noise.cu.
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

}  // namespace
}  // namespace rightsize::test
