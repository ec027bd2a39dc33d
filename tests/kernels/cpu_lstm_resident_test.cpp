// Inference through a narrow LSTM, item by item: when it is taken, and that it is the same.
#include <exception>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/cpu/lstm_direction.h"
#include "kernels/cpu/lstm_resident.h"
#include "support/approx.h"
#include "support/tiny_batch.h"

using namespace rightsize;

namespace {

constexpr std::int64_t features = 5;
constexpr std::int64_t hidden = 6;

}  // namespace

// Items and positions that threads and the two halves of the cells do not share evenly.
TEST_CASE("cpu lstm: by items or by positions, it is the same to rounding") {
  for (const bool reverse : {false, true}) {
    for (const std::int64_t steps : {1, 4, 5}) {
      const cpu::LstmShape shape{19, steps, features, hidden, 2 * hidden, reverse};
      REQUIRE(cpu::is_resident(shape, 2));
      const auto gates = 4 * hidden;
      const auto input = test::noise(gates * features, 1);
      const auto recurrent = test::noise(gates * hidden, 2);
      const auto bias = test::noise(gates, 3);
      const auto x = test::noise(shape.rows() * features, 4);
      const auto start_output = test::noise(shape.items * hidden, 5);
      const auto start_cell = test::noise(shape.items * hidden, 6);
      std::vector<float> turned(input.size());
      for (std::int64_t k = 0; k < gates; ++k) {
        for (std::int64_t j = 0; j < features; ++j) {
          turned[static_cast<std::size_t>(j * gates + k)] =
              input[static_cast<std::size_t>(k * features + j)];
        }
      }
      const auto rows = static_cast<std::size_t>(shape.rows());
      std::vector<float> kept(rows * 4 * hidden);
      std::vector<float> cells(rows * hidden);
      std::vector<float> y(rows * 2 * hidden);
      cpu::lstm_forward(
          shape,
          {input.data(), recurrent.data(), nullptr, bias.data()},
          {x.data(), start_output.data(), start_cell.data(), kept.data(), cells.data(), y.data()});
      std::vector<float> scratch(static_cast<std::size_t>(shape.items) * 4 * hidden);
      std::vector<float> two(2 * static_cast<std::size_t>(shape.items) * hidden);
      std::vector<float> resident(y.size());
      cpu::lstm_resident(shape,
                         {x.data(),
                          start_output.data(),
                          start_cell.data(),
                          turned.data(),
                          recurrent.data(),
                          bias.data(),
                          scratch.data(),
                          two.data(),
                          resident.data()});
      for (std::size_t k = 0; k < y.size(); ++k) {
        CHECK(resident[k] == test::approx(y[k]).epsilon(1e-5).scale(0.1));
      }
      const auto end = static_cast<std::size_t>(reverse ? 0 : steps - 1);
      for (std::size_t n = 0; n < static_cast<std::size_t>(shape.items); ++n) {
        CHECK(cpu::last_cells(shape, two.data())[n * hidden] ==
              test::approx(cells[(n * static_cast<std::size_t>(steps) + end) * hidden])
                  .epsilon(1e-5)
                  .scale(0.1));
      }
    }
  }
}

TEST_CASE("cpu lstm: taken by items where each thread has four and the weights are few") {
  const auto resident = [](std::int64_t items, std::int64_t width, int threads) {
    return cpu::is_resident({items, 10, width, width, width, false}, threads);
  };
  CHECK(resident(4, 64, 1));
  CHECK_FALSE(resident(3, 64, 1));
  CHECK_FALSE(resident(7, 64, 2));  // one thread would have three
  CHECK(resident(8, 64, 2));
  CHECK_FALSE(resident(8, 64, 3));
  CHECK(resident(64, 128, 8));        // 512 KiB of weights
  CHECK_FALSE(resident(64, 129, 8));  // no longer in a core's cache
}

TEST_CASE("cpu lstm: a product that oneDNN refuses on some thread is an error, not the end") {
  const cpu::LstmShape wrong{16, 1, -1, hidden, hidden, false};
  std::vector<float> memory(16 * 4 * hidden);
  auto* const any = memory.data();
  CHECK_THROWS_AS(cpu::lstm_resident(wrong, {any, any, any, any, any, any, any, any, any}),
                  std::exception);
}
