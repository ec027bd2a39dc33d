// Best-of timing for the programs here.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>

namespace rightsize::bench {

inline double seconds(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// After one run that does not count.
inline double best_of(int repeats, const std::function<void()>& run) {
  run();
  double best = seconds(run);
  for (int i = 1; i < repeats; ++i) {
    best = std::min(best, seconds(run));
  }
  return best;
}

}  // namespace rightsize::bench
