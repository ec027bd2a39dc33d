// Time as the measuring loop sees it; tests hand in one they can turn by hand.
#pragma once

#include <chrono>

namespace rightsize {

class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  // Seconds since an arbitrary start; never goes back.
  [[nodiscard]] virtual double now_s() = 0;
};

class SteadyClock : public Clock {
 public:
  [[nodiscard]] double now_s() override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
};

}  // namespace rightsize
