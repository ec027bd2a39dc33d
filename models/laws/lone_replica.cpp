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
    overflow(full_s);
  }
}

// P(latency > x).
double LoneReplica::tail(double x) const {
  double sum = 0;
  const double first = group_ / (group_ + rate_ * window_s_);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double after_window = x - own_window_s_[i];
    const double after_step = x - own_step_s_[i];
    const double by_window =
        first * waited(after_window - window_s_, 0) + (1 - first) * waited(after_window, window_s_);
    sum += weights[i] *
           (window_share_ * by_window + (1 - window_share_) * waited(after_step, step_s_));
  }
  return sum;
}

double LoneReplica::mean() const {
  const double first = group_ / (group_ + rate_ * window_s_);
  const double by_window = window_s_ * (first + (1 - first) / 2) + own_window_s_[1];
  const double by_step = step_s_ / 2 + own_step_s_[1];
  return window_share_ * by_window + (1 - window_share_) * by_step + overflow_ / overflow_rate_;
}

// Next to no latency is beyond.
double LoneReplica::longest_s() const {
  return 2 * step_seconds(time_, most_) + window_s_ + 12 / overflow_rate_;
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

// Those left over by full minibatches: P(more than q) = overflow_ exp(-decay q).
void LoneReplica::overflow(double full_s) {
  // The root of load (e^x - 1) = x: from above, as the function is convex. At low load the root
  // is near ln(1 / load), which the second bound stays above without leaving the range of exp.
  double decay = std::min(2 * (1 - load_) / load_, 2 - 2 * std::log(load_));
  for (int i = 0; i < 60; ++i) {
    const double power = std::exp(decay);
    const double step = (load_ * (power - 1) - decay) / (load_ * power - 1);
    decay -= step;
    if (std::abs(step) < 1e-6 * decay) {
      break;
    }
  }
  const double dispersion = 2 * group_ - 1;
  decay /= dispersion;
  overflow_ = std::exp(-decay * 0.5826 * std::sqrt(load_ * most_ * dispersion));
  overflow_rate_ = decay * most_ / full_s;
}

// Of a minibatch of `size` on average in which a request finds itself.
double LoneReplica::own_seconds(double size, double node) const {
  const double spread = std::sqrt(std::max(0.0, size - 1) * group_);
  return step_seconds(time_, std::clamp(size + node * spread, 1.0, most_));
}

// P(U + E > y): U uniform in [0, width], E exponential with the chance of an overflow, else 0.
double LoneReplica::waited(double y, double width) const {
  if (y <= 0) {
    return 1;
  }
  const double without = width > y ? 1 - y / width : 0;
  double with = 0;
  const double gone = std::exp(-overflow_rate_ * y);
  if (width <= 0) {
    with = gone;
  } else if (y < width) {
    with = without + (1 - gone) / (overflow_rate_ * width);
  } else {
    with = (std::exp(-overflow_rate_ * (y - width)) - gone) / (overflow_rate_ * width);
  }
  return (1 - overflow_) * without + overflow_ * with;
}

}  // namespace rightsize
