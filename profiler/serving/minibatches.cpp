#include "profiler/serving/minibatches.h"

#include <algorithm>
#include <cmath>

namespace rightsize {

Minibatches::Minibatches(Arrivals arrivals, int largest, double max_delay_s)
    : arrivals_(std::move(arrivals)),
      largest_(static_cast<std::size_t>(largest)),
      max_delay_s_(max_delay_s),
      next_s_(arrivals_.next_s()) {}

void Minibatches::admit(double now_s) {
  while (next_s_ <= now_s) {
    queue_.push_back(next_s_);
    next_s_ = arrivals_.next_s();
  }
}

double Minibatches::begin_s(double free_s) {
  admit(free_s);
  if (queue_.empty() && std::isinf(next_s_)) {
    return next_s_;
  }
  if (queue_.empty()) {
    admit(next_s_);  // the next to come
  }
  // Full, or the oldest has waited long enough, whichever is first; never before it is free.
  const double due_s = queue_.front() + max_delay_s_;
  while (queue_.size() < largest_ && next_s_ <= due_s) {
    queue_.push_back(next_s_);
    next_s_ = arrivals_.next_s();
  }
  const double full_s = queue_.size() >= largest_ ? queue_[largest_ - 1] : due_s;
  return std::max(free_s, std::min(full_s, due_s));
}

std::vector<double> Minibatches::take(double now_s) {
  admit(now_s);
  std::vector<double> taken;
  while (taken.size() < largest_ && !queue_.empty() && queue_.front() <= now_s) {
    taken.push_back(queue_.front());
    queue_.pop_front();
  }
  taken_ += taken.size();
  return taken;
}

std::size_t Minibatches::waiting(double now_s) {
  admit(now_s);
  return static_cast<std::size_t>(std::upper_bound(queue_.begin(), queue_.end(), now_s) -
                                  queue_.begin());
}

std::uint64_t Minibatches::come(double now_s) {
  return taken_ + waiting(now_s);
}

}  // namespace rightsize
