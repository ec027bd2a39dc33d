// Fast Conformer: Rekesh et al., ASRU 2023, which Parakeet and Canary hear with.
#pragma once

#include <cstdint>

#include "kernels/networks/builder.h"

namespace rightsize::speech {

struct FastConformerShape {
  std::int64_t width;
  int depth;
  std::int64_t bins = 80;  // of a moment's spectrum
};

// Of the network's input, of so many bins a moment of 10 ms; out comes a sequence of moments of 80
// ms.
[[nodiscard]] int fast_conformer(NetworkBuilder& net, const FastConformerShape& shape);

}  // namespace rightsize::speech
