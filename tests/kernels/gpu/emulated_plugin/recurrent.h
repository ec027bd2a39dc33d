// What stands behind cuDNN's descriptors of recurrent networks, and how one is walked through. Its
// weight space is laid out unlike our parameters on purpose.
#pragma once

#include <cstdint>

#include <cudnn.h>

#include "kernels/gpu/emulated_plugin/values.h"

struct cudnnRNNStruct {
  rightsize::emulation::Width type;
  std::int64_t in, hidden;
  int directions;

  [[nodiscard]] std::int64_t out() const { return directions * hidden; }
  // In values: per direction the square matrices, a gap, the biases, the input matrices from the
  // last gate to the first.
  [[nodiscard]] std::int64_t direction_size() const { return 4 * hidden * (hidden + in + 1) + 16; }
  [[nodiscard]] std::int64_t recurrent(int direction, int gate) const {
    return direction * direction_size() + gate * hidden * hidden;
  }
  [[nodiscard]] std::int64_t bias(int direction, int gate) const {
    return recurrent(direction, 4) + 16 + gate * hidden;
  }
  [[nodiscard]] std::int64_t input(int direction, int gate) const {
    return bias(direction, 4) + (3 - gate) * hidden * in;
  }
};

struct cudnnRNNDataStruct {
  std::int64_t positions, items, features;
};

namespace rightsize::emulation {

// One direction of one item: which rows it visits, and what it keeps of each for the way back.
struct Walk {
  const cudnnRNNStruct& net;
  const cudnnRNNDataStruct& x;
  int direction;
  std::int64_t item;
  float* reserve;

  [[nodiscard]] std::int64_t row(std::int64_t step) const {
    return item * x.positions + (direction == 0 ? step : x.positions - 1 - step);
  }
  // Gates i f g o, then the cell: five times `hidden` values.
  [[nodiscard]] float* kept(std::int64_t step) const {
    return reserve + (row(step) * net.directions + direction) * 5 * net.hidden;
  }
  [[nodiscard]] std::int64_t state(std::int64_t k) const {
    return (direction * x.items + item) * net.hidden + k;
  }
  [[nodiscard]] std::int64_t output(std::int64_t step, std::int64_t k) const {
    return row(step) * net.out() + direction * net.hidden + k;
  }
  [[nodiscard]] double before(const void* y,
                              const void* start,
                              std::int64_t step,
                              std::int64_t k) const {
    if (step > 0) {
      return static_cast<double>(value_at(y, net.type, output(step - 1, k)));
    }
    return start == nullptr ? 0 : static_cast<double>(value_at(start, net.type, state(k)));
  }
  [[nodiscard]] double cell_before(const void* start, std::int64_t step, std::int64_t k) const {
    if (step > 0) {
      return static_cast<double>(kept(step - 1)[4 * net.hidden + k]);
    }
    return start == nullptr ? 0 : static_cast<double>(value_at(start, net.type, state(k)));
  }
};

template <typename Visit>
void for_each_walk(const cudnnRNNStruct& net,
                   const cudnnRNNDataStruct& x,
                   void* reserve,
                   Visit visit) {
  for (int direction = 0; direction < net.directions; ++direction) {
    for (std::int64_t item = 0; item < x.items; ++item) {
      visit(Walk{net, x, direction, item, static_cast<float*>(reserve)});
    }
  }
}

inline std::size_t reserve_bytes(const cudnnRNNStruct& net, const cudnnRNNDataStruct& x) {
  return static_cast<std::size_t>(x.items * x.positions * net.out() * 5) * sizeof(float);
}

}  // namespace rightsize::emulation
