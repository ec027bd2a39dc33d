#include "kernels/cpu/lstm_resident.h"

#include <algorithm>
#include <exception>

#include <omp.h>

#include "kernels/cpu/lstm_cell.h"
#include "kernels/cpu/lstm_product.h"

namespace rightsize::cpu {
namespace {

// Half of the second-level cache that a core of a server has had since 2017 (Skylake-SP 1 MiB,
// Zen 512 KiB: there all of it).
constexpr std::int64_t most_weight_bytes = std::int64_t{512} << 10;

// Of a thread: products of fewer rows spend their time on reading the weights.
constexpr std::int64_t least_items = 4;

// Cells are written in turn to either half.
std::int64_t cells_after(const LstmShape& shape, std::int64_t step) {
  return step % 2 * shape.items * shape.hidden;
}

// Items `first` and the next `count`, from where they start to the end.
void walk(const LstmShape& shape,
          const LstmResident& pass,
          std::int64_t first,
          std::int64_t count) {
  const auto width = 4 * shape.hidden;
  float* const gates = pass.gates + first * width;
  const float* output = pass.start_output + first * shape.hidden;
  std::int64_t output_stride = shape.hidden;
  const float* cell = pass.start_cell + first * shape.hidden;
  for (std::int64_t step = 0; step < shape.positions; ++step) {
    const auto row = first * shape.positions + (shape.reverse ? shape.positions - 1 - step : step);
    for (std::int64_t n = 0; n < count; ++n) {
      std::copy_n(pass.bias, width, gates + n * width);
    }
    multiply(count,
             width,
             shape.in,
             {pass.x + row * shape.in, shape.positions * shape.in},
             {pass.input_turned, width},
             1,
             gates,
             width);
    multiply(count,
             width,
             shape.hidden,
             {output, output_stride},
             {pass.recurrent, width},
             1,
             gates,
             width);
    float* const y = pass.y + row * shape.out;
    float* const now = pass.cells + cells_after(shape, step) + first * shape.hidden;
    for (std::int64_t n = 0; n < count; ++n) {
      lstm_cell_forward({gates + n * width,
                         cell + n * shape.hidden,
                         now + n * shape.hidden,
                         y + n * shape.positions * shape.out,
                         shape.hidden});
    }
    output = y;
    output_stride = shape.positions * shape.out;
    cell = now;
  }
}

}  // namespace

bool is_resident(const LstmShape& shape, int threads) {
  const auto weights = 4 * shape.hidden * (shape.in + shape.hidden);
  return weights * static_cast<std::int64_t>(sizeof(float)) <= most_weight_bytes &&
         shape.items >= least_items * threads;
}

void lstm_resident(const LstmShape& shape, const LstmResident& pass) {
  const std::int64_t threads = omp_get_max_threads();
  const auto shares = std::clamp<std::int64_t>(shape.items / least_items, 1, threads);
  std::exception_ptr failure;  // none may leave the parallel region
#pragma omp parallel for schedule(static)
  for (std::int64_t share = 0; share < shares; ++share) {
    const auto first = share * shape.items / shares;
    try {
      walk(shape, pass, first, (share + 1) * shape.items / shares - first);
    } catch (...) {
#pragma omp critical(lstm_resident_failure)
      failure = std::current_exception();
    }
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

const float* last_cells(const LstmShape& shape, const float* cells) {
  return cells + cells_after(shape, shape.positions - 1);
}

}  // namespace rightsize::cpu
