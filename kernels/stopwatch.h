// How long a part of the work took, which engines and loaders tell beside what they computed; what
// is made of the times is the profiler's.
#pragma once

#include <chrono>

namespace rightsize {

// Runs from where it is made, by a clock that never goes back.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace rightsize
