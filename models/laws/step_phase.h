// The phases that the law of a GPU's step is of.
#pragma once

#include "kernels/workload.h"

namespace rightsize {

// Whole batches go through the network, one after the other. Tokens that are written have a law of
// their own (decode.h), and no GPU takes part in preprocessing.
[[nodiscard]] constexpr bool has_steps(Phase phase) {
  return phase != Phase::decode && phase != Phase::preprocess;
}

}  // namespace rightsize
