// A clock that moves when it is told to.
#pragma once

#include "profiler/measure/clock.h"

namespace rightsize {

class FakeClock : public Clock {
 public:
  [[nodiscard]] double now_s() override { return now_s_; }
  void advance(double seconds) { now_s_ += seconds; }

 private:
  double now_s_ = 1000;
};

}  // namespace rightsize
