// How much of a GPU a share of its multiprocessors is.
#pragma once

namespace rightsize::gpu {

// The nearest whole number, at least one. The driver gives them out in twos or eights and rounds
// up, so what a run got is read back from it.
[[nodiscard]] constexpr int multiprocessors_for(double share, int all) {
  const int nearest = static_cast<int>(share * all + 0.5);
  return nearest < 1 ? 1 : (nearest > all ? all : nearest);
}

}  // namespace rightsize::gpu
