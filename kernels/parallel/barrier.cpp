#include "kernels/parallel/barrier.h"

#include "kernels/engine.h"

namespace rightsize {

void Barrier::wait() {
  std::unique_lock lock(mutex_);
  const auto generation = generation_;
  if (++waiting_ == ranks_) {
    waiting_ = 0;
    ++generation_;
    arrived_.notify_all();
  }
  arrived_.wait(lock, [&] { return broken_ || generation != generation_; });
  if (generation == generation_) {
    throw EngineError("another rank failed, so this one cannot go on");
  }
}

void Barrier::break_up() {
  const std::lock_guard lock(mutex_);
  broken_ = true;
  arrived_.notify_all();
}

}  // namespace rightsize
