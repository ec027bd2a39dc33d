// Dynamic batching: who is answered together, and when. A server takes what waits as soon as it is
// free, at most `largest` requests; when fewer wait, it waits for more until the oldest has waited
// `max_delay_s`. The same rule as models/simulate/serving.
#pragma once

#include <deque>
#include <limits>
#include <vector>

#include "profiler/serving/arrivals.h"

namespace rightsize {

class Minibatches {
 public:
  Minibatches(Arrivals arrivals, int largest, double max_delay_s);

  // When a server that is free from `free_s` on begins its next minibatch; infinite when nobody
  // will come any more. Seconds since the start, as all instants here.
  [[nodiscard]] double begin_s(double free_s);

  // Takes them out of the queue at `now_s`, the oldest first: the instants at which they came.
  [[nodiscard]] std::vector<double> take(double now_s);

  // Requests that have come by `now_s`, all in all, and those of them that were not taken.
  [[nodiscard]] std::uint64_t come(double now_s);
  [[nodiscard]] std::size_t waiting(double now_s);

 private:
  void admit(double now_s);

  Arrivals arrivals_;
  std::size_t largest_;
  double max_delay_s_;
  std::deque<double> queue_;  // came, or known to come
  double next_s_;             // the first arrival that is not in the queue
  std::uint64_t taken_ = 0;
};

}  // namespace rightsize
