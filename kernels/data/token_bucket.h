// A rate limit that threads share: stands for a disk's bandwidth where no cgroup can impose it.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>

namespace rightsize {

// take() is called after a read of `bytes` and returns when a device of that rate would have been
// done. Unused time is kept for at most 50 ms, so that an idle spell does not buy a burst.
class TokenBucket {
 public:
  explicit TokenBucket(double bytes_per_s) : bytes_per_s_(bytes_per_s) {}

  void take(std::uint64_t bytes, const std::stop_token& stop) {
    if (bytes_per_s_ <= 0) {
      return;
    }
    const std::chrono::duration<double> cost(static_cast<double>(bytes) / bytes_per_s_);
    std::unique_lock lock(mutex_);
    const auto now = Clock::now();
    free_at_ = std::max(free_at_, now - std::chrono::milliseconds(50)) +
               std::chrono::duration_cast<Clock::duration>(cost);
    const auto mine = free_at_;
    wake_.wait_until(lock, stop, mine, [] { return false; });  // a stop ends the wait early
  }

 private:
  using Clock = std::chrono::steady_clock;
  double bytes_per_s_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  Clock::time_point free_at_ = Clock::now();
};

}  // namespace rightsize
