// How many threads decode and read on a machine, where nobody says.
#pragma once

#include <algorithm>
#include <cmath>

namespace rightsize {

// One for each vCPU, a part of one too; at least one. A count that arithmetic left a hair above a
// whole number is that number.
[[nodiscard]] inline int usual_loader_threads(double vcpus) {
  constexpr double rounding = 1e-9;
  return std::max(1, static_cast<int>(std::ceil(vcpus - rounding)));
}

// Of a program of the user's, whose way of reading nobody knows: no thread's own cycle bounds it,
// its vCPUs and the disk do.
inline constexpr int threads_of_program = 0;

}  // namespace rightsize
