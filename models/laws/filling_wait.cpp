#include "models/laws/filling_wait.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rightsize {
namespace {

// P(Gamma(shape) > x): the cube root of a Gamma is nearly normal.
double gamma_tail(double shape, double x) {
  constexpr double certain = 5;  // deviations
  const double deviation = 1 / (3 * std::sqrt(shape));
  const double z = (std::cbrt(x / shape) - (1 - deviation * deviation)) / deviation;
  return z > certain ? 0 : z < -certain ? 1 : 0.5 * std::erfc(z / std::numbers::sqrt2);
}

}  // namespace

FillingWait::FillingWait(const ServingLoad& load, double full_s)
    : most_(load.max_batch), window_s_(load.max_delay_s), full_s_(full_s) {
  const double group = std::max(1.0, load.group_size);
  const double replicas = std::max(1, load.replicas);
  const double counted_in = 2 * group - 1;
  rate_ = load.requests_per_s / counted_in;
  round_ = replicas / counted_in;
  const double utilisation = load.requests_per_s * full_s / (replicas * most_);
  overflow_ = overflow_of(utilisation, group, replicas * most_, full_s);
}

// The longer of the two.
double FillingWait::tail(double x_s) const {
  const double filling_later = x_s < 0 ? 1 : x_s >= window_s_ ? 0 : later(x_s);
  const double under_way = overflow_.chance * delayed_beyond(overflow_, x_s, full_s_);
  return filling_later + (1 - filling_later) * under_way;
}

// As if who has to wait for others never waited less for that than for the minibatch to fill.
double FillingWait::mean() const {
  const double filling_s = std::min(window_s_, (most_ - 1) * round_ / rate_ / 2);
  return std::max(
      filling_s,
      (1 - overflow_.chance) * filling_s + overflow_.chance * (full_s_ / 2 + 1 / overflow_.rate));
}

double FillingWait::longest_s() const {
  return std::max(window_s_, full_s_ + 12 / overflow_.rate);
}

// Behind others' minibatches they fill, whatever the window.
double FillingWait::mean_batch() const {
  return most_ * (1 - (1 - overflow_.chance) * later(window_s_));
}

// The share of requests that come more than x before their minibatch is full.
double FillingWait::later(double x_s) const {
  // Of many rounds as many as tell them apart, each for its neighbours too.
  constexpr double enough = 24;
  const double rounds = most_ - 1;
  const double asked = std::min(rounds, enough);
  const double apart = rounds / asked;
  double sum = 0;
  for (double k = rounds - (apart - 1) / 2; k > 0; k -= apart) {
    const double later = gamma_tail(k * round_, rate_ * x_s);
    sum += apart * later;
    if (later <= 0) {
      break;  // who came after it waits for fewer
    }
  }
  return std::min(1.0, sum / most_);
}

}  // namespace rightsize
