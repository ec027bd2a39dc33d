// Stretches of positions, copied from the sequences of a batch to others of as many features.
#pragma once

#include <cstring>

#include "kernels/cpu/element.h"
#include "kernels/cpu/sequence.h"

namespace rightsize::cpu {

// A sequence of each item, and the position in it where the stretch begins.
struct Stretch {
  Tensor tensor;
  SequenceShape shape;
  std::int64_t first = 0;
};

inline void emit_copy(Lowering& lowering,
                      std::string name,
                      const Stretch& from,
                      const Stretch& to,
                      std::int64_t positions) {
  const auto row = static_cast<std::int64_t>(dnnl::memory::data_type_size(lowering.type())) *
                   from.shape.features;
  lowering.emit(std::move(name),
                [=] {
                  const auto* const in = elements<std::byte>(from.tensor);
                  auto* const out = elements<std::byte>(to.tensor);
#pragma omp parallel for collapse(2) schedule(static)
                  for (std::int64_t n = 0; n < from.shape.items; ++n) {
                    for (std::int64_t t = 0; t < positions; ++t) {
                      std::memcpy(out + (n * to.shape.positions + to.first + t) * row,
                                  in + (n * from.shape.positions + from.first + t) * row,
                                  static_cast<std::size_t>(row));
                    }
                  }
                },
                {from.tensor, to.tensor});
}

}  // namespace rightsize::cpu
