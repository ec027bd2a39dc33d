// Where ranks wait for each other, and stop waiting when one of them fails.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace rightsize {

class Barrier {
 public:
  explicit Barrier(std::size_t ranks) : ranks_(ranks) {}

  // Returns when all ranks are here; throws EngineError when one of them broke the barrier.
  void wait();
  // From now on nobody waits: called by a rank that cannot come.
  void break_up();

 private:
  std::size_t ranks_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::size_t waiting_ = 0;
  std::size_t generation_ = 0;
  bool broken_ = false;
};

}  // namespace rightsize
