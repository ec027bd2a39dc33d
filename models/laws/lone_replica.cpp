#include "models/laws/lone_replica.h"

#include <algorithm>
#include <cmath>

namespace rightsize {
namespace {

// Gauss-Hermite for the number of companions in a minibatch, about normal.
constexpr std::array<double, 3> nodes{-1.7320508075688772, 0.0, 1.7320508075688772};
constexpr std::array<double, 3> weights{1.0 / 6, 2.0 / 3, 1.0 / 6};

}  // namespace

LoneReplica::LoneReplica(const MinibatchTime& time, const ServingLoad& load)
    : time_(time),
      rate_(load.requests_per_s),
      group_(std::max(1.0, load.group_size)),
      most_(load.max_batch) {
  // No window lasts longer than it takes to fill it.
  window_s_ = std::min(load.max_delay_s, std::max(0.0, most_ - group_) / rate_);
  const double full_s = step_seconds(time, most_);
  load_ = rate_ * full_s / most_;
  if (load_ < 1) {
    balance();
    overflow_ = overflow_of(load_, group_, most_, full_s);
    if (window_s_ < load.max_delay_s && window_s_ > full_s) {
      filling_.emplace(load, full_s);
    }
  }
}

// P(latency > x).
double LoneReplica::tail(double x) const {
  double sum = 0;
  const double first = group_ / (group_ + rate_ * window_s_);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double after_window = x - own_window_s_[i];
    const double after_step = x - own_step_s_[i];
    const double by_window = filling_ ? filling_->tail(after_window)
                                      : first * waited(after_window - window_s_, 0) +
                                            (1 - first) * waited(after_window, window_s_);
    sum += weights[i] *
           (window_share_ * by_window + (1 - window_share_) * waited(after_step, step_s_));
  }
  return sum;
}

double LoneReplica::mean_batch() const {
  return load_ >= 1 ? most_ : filling_ ? filling_->mean_batch() : batch_;
}

double LoneReplica::mean() const {
  const double first = group_ / (group_ + rate_ * window_s_);
  const double beyond_s = overflow_.chance / overflow_.rate;
  const double wait_s =
      filling_ ? filling_->mean() : window_s_ * (first + (1 - first) / 2) + beyond_s;
  return window_share_ * (wait_s + own_window_s_[1]) +
         (1 - window_share_) * (step_s_ / 2 + beyond_s + own_step_s_[1]);
}

// Next to no latency is beyond.
double LoneReplica::longest_s() const {
  const double full_s = step_seconds(time_, most_);
  const double wait_s = filling_ ? filling_->longest_s() : 0;
  return full_s + std::max(wait_s, full_s + window_s_ + 12 / overflow_.rate);
}

// Mean size and time of a minibatch: b = rate x cycle, increasing slower than b below saturation.
void LoneReplica::balance() {
  double low = 1;
  double high = most_;
  for (int i = 0; i < 24 && high - low > 1e-4 * low; ++i) {
    const double middle = (low + high) / 2;
    (rate_ * cycle_seconds(middle) > middle ? low : high) = middle;
  }
  batch_ = (low + high) / 2;
  step_s_ = step_seconds(time_, batch_);
  const double by_window = idle_chance(step_s_) * (group_ + rate_ * window_s_);
  window_share_ = std::min(1.0, by_window / batch_);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    own_window_s_[i] = own_seconds(group_ + rate_ * window_s_, nodes[i]);
    own_step_s_[i] = own_seconds(1 + rate_ * step_s_, nodes[i]);
  }
}

// That nobody came early enough to end a window before the step ends.
double LoneReplica::idle_chance(double step_s) const {
  return std::exp(-rate_ / group_ * std::max(0.0, step_s - window_s_));
}

double LoneReplica::cycle_seconds(double batch) const {
  const double step_s = step_seconds(time_, batch);
  return std::max(step_s, window_s_) + idle_chance(step_s) * group_ / rate_;
}

// Of a minibatch of `size` on average in which a request finds itself.
double LoneReplica::own_seconds(double size, double node) const {
  const double spread = std::sqrt(std::max(0.0, size - 1) * group_);
  return step_seconds(time_, std::clamp(size + node * spread, 1.0, most_));
}

// P(U + E > y): U uniform in [0, width], E what waits beyond a full minibatch, where any does.
double LoneReplica::waited(double y, double width) const {
  if (y <= 0) {
    return 1;
  }
  const double without = width > y ? 1 - y / width : 0;
  return (1 - overflow_.chance) * without + overflow_.chance * delayed_beyond(overflow_, y, width);
}

}  // namespace rightsize
