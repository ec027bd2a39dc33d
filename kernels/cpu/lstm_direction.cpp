#include "kernels/cpu/lstm_direction.h"

#include <algorithm>
#include <array>

#include "kernels/cpu/lstm_cell.h"
#include "kernels/cpu/lstm_product.h"

namespace rightsize::cpu {
namespace {

// Positions in the order this direction visits them.
struct Walk {
  std::int64_t positions;
  bool reverse;

  [[nodiscard]] std::int64_t at(std::int64_t step) const {
    return reverse ? positions - 1 - step : step;
  }
};

// Where position t of every item begins in a matrix of rows, and the way from item to item.
struct Position {
  std::int64_t offset;
  std::int64_t stride;
};

Position position(const LstmShape& shape, std::int64_t t, std::int64_t features) {
  return {t * features, shape.positions * features};
}

// Outputs or cells of the step before: of the last position visited, or where the sequence starts.
Matrix before(const LstmShape& shape,
              const Walk& walk,
              std::int64_t step,
              const float* start,
              const float* rows,
              std::int64_t features) {
  if (step == 0) {
    return {start, shape.hidden};
  }
  const auto place = position(shape, walk.at(step - 1), features);
  return {rows + place.offset, place.stride};
}

void add_bias(const LstmShape& shape, const float* bias, float* gates) {
  const auto width = 4 * shape.hidden;
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < shape.rows(); ++row) {
    std::copy_n(bias, width, gates + row * width);
  }
}

// Rows of outputs as they were one step earlier.
void gather_before(const LstmShape& shape, const Walk& walk, const LstmBackward& pass) {
#pragma omp parallel for schedule(static)
  for (std::int64_t n = 0; n < shape.items; ++n) {
    for (std::int64_t step = 0; step < shape.positions; ++step) {
      const auto from =
          before(shape, walk, step, pass.forward.start_output, pass.forward.y, shape.out);
      std::copy_n(from.data + n * from.stride,
                  shape.hidden,
                  pass.before + (n * shape.positions + walk.at(step)) * shape.hidden);
    }
  }
}

// A few cache lines of columns at a time: down a single column every row would be a line of its
// own.
void sum_rows(const LstmShape& shape, const float* gates, float* bias) {
  constexpr std::int64_t columns = 64;
  const auto width = 4 * shape.hidden;
#pragma omp parallel for schedule(static)
  for (std::int64_t first = 0; first < width; first += columns) {
    const auto count = std::min(columns, width - first);
    std::array<float, columns> sums{};
    for (std::int64_t row = 0; row < shape.rows(); ++row) {
      const float* values = gates + row * width + first;
      for (std::int64_t k = 0; k < count; ++k) {
        sums[static_cast<std::size_t>(k)] += values[k];
      }
    }
    std::copy_n(sums.begin(), count, bias + first);
  }
}

}  // namespace

void lstm_forward(const LstmShape& shape, const LstmWeights& weights, const LstmForward& pass) {
  const auto width = 4 * shape.hidden;
  const Walk walk{shape.positions, shape.reverse};
  add_bias(shape, weights.bias, pass.gates);
  multiply(shape.rows(),
           width,
           shape.in,
           {pass.x, shape.in},
           {weights.input, shape.in, 'T'},
           1,
           pass.gates,
           width);
  for (std::int64_t step = 0; step < shape.positions; ++step) {
    const auto t = walk.at(step);
    const auto gates = position(shape, t, width);
    const auto output = before(shape, walk, step, pass.start_output, pass.y, shape.out);
    const auto cell = before(shape, walk, step, pass.start_cell, pass.cells, shape.hidden);
    multiply(shape.items,
             width,
             shape.hidden,
             output,
             {weights.recurrent, width},
             1,
             pass.gates + gates.offset,
             gates.stride);
#pragma omp parallel for schedule(static)
    for (std::int64_t n = 0; n < shape.items; ++n) {
      const auto row = n * shape.positions + t;
      lstm_cell_forward({pass.gates + row * width,
                         cell.data + n * cell.stride,
                         pass.cells + row * shape.hidden,
                         pass.y + row * shape.out,
                         shape.hidden});
    }
  }
}

namespace {

// From the last step to the first: gates become their gradients.
void walk_back(const LstmShape& shape,
               const Walk& walk,
               const LstmWeights& weights,
               const LstmBackward& pass) {
  const auto width = 4 * shape.hidden;
  const auto& forward = pass.forward;
  std::fill_n(pass.later, shape.items * shape.hidden, 0.0F);
  std::fill_n(pass.cell, shape.items * shape.hidden, 0.0F);
  for (std::int64_t step = shape.positions; step-- > 0;) {
    const auto t = walk.at(step);
    const auto cell = before(shape, walk, step, forward.start_cell, forward.cells, shape.hidden);
#pragma omp parallel for schedule(static)
    for (std::int64_t n = 0; n < shape.items; ++n) {
      const auto row = n * shape.positions + t;
      lstm_cell_backward({forward.gates + row * width,
                          cell.data + n * cell.stride,
                          forward.cells + row * shape.hidden,
                          pass.dy + row * shape.out,
                          pass.later + n * shape.hidden,
                          pass.cell + n * shape.hidden,
                          shape.hidden});
    }
    const auto gates = position(shape, t, width);
    multiply(shape.items,
             shape.hidden,
             width,
             {forward.gates + gates.offset, gates.stride},
             {weights.recurrent_turned, shape.hidden},
             0,
             pass.later,
             shape.hidden);
  }
}

}  // namespace

void lstm_backward(const LstmShape& shape,
                   const LstmWeights& weights,
                   const LstmBackward& pass,
                   const LstmGradients& gradients) {
  const auto width = 4 * shape.hidden;
  const Walk walk{shape.positions, shape.reverse};
  const auto& forward = pass.forward;
  gather_before(shape, walk, pass);
  walk_back(shape, walk, weights, pass);
  const Matrix transposed{forward.gates, width, 'T'};
  multiply(width,
           shape.in,
           shape.rows(),
           transposed,
           {forward.x, shape.in},
           0,
           gradients.input,
           shape.in);
  multiply(shape.hidden,
           width,
           shape.rows(),
           {pass.before, shape.hidden, 'T'},
           {forward.gates, width},
           0,
           gradients.recurrent,
           width);
  sum_rows(shape, forward.gates, gradients.bias);
  if (gradients.x != nullptr) {
    multiply(shape.rows(),
             shape.in,
             width,
             {forward.gates, width},
             {weights.input, shape.in},
             1,
             gradients.x,
             shape.in);
  }
}

}  // namespace rightsize::cpu
