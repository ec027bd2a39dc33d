// Finished minibatches between the loader's workers and the accelerator: a bounded buffer that
// hands them on in the sampler's order, whoever finishes first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/simulate/time.h"

namespace rightsize::simulate {

class ReadyBuffer {
 public:
  explicit ReadyBuffer(std::size_t places) : ready_(places) {}

  // Whether minibatch `batch` has a place while `taken` have been handed on.
  [[nodiscard]] bool has_room(std::uint64_t batch, std::uint64_t taken) const {
    return batch < taken + ready_.size();
  }

  void put(Nanoseconds now, std::uint64_t batch) {
    ready_[batch % ready_.size()] = 1;
    count(now, 1);
  }

  // False when minibatch `batch` is not finished.
  bool take(Nanoseconds now, std::uint64_t batch) {
    char& place = ready_[batch % ready_.size()];
    if (place == 0) {
      return false;
    }
    place = 0;
    count(now, -1);
    return true;
  }

  [[nodiscard]] std::uint64_t waiting() const { return waiting_; }
  [[nodiscard]] std::size_t places() const { return ready_.size(); }
  [[nodiscard]] std::uint64_t most() const { return most_; }
  void forget_most() { most_ = waiting_; }

  // The integral of those that wait over time.
  [[nodiscard]] double waiting_seconds(Nanoseconds now) {
    count(now, 0);
    return waiting_ns_ * 1e-9;
  }

 private:
  void count(Nanoseconds now, int change) {
    waiting_ns_ += static_cast<double>(waiting_) * static_cast<double>(now - since_);
    since_ = now;
    waiting_ += static_cast<std::uint64_t>(change);
    most_ = std::max(most_, waiting_);
  }

  std::vector<char> ready_;  // by minibatch modulo the buffer
  std::uint64_t waiting_ = 0;
  std::uint64_t most_ = 0;
  Nanoseconds since_ = 0;
  double waiting_ns_ = 0;
};

}  // namespace rightsize::simulate
