// What waits beyond one full minibatch: an exponential whose rate is the root of the arrivals'
// random walk, with Siegmund's correction for discrete steps (Asmussen, "Applied Probability and
// Queues", XIII.5). Bursts widen the walk by their index of dispersion.
#pragma once

#include <limits>

namespace rightsize {

struct Overflow {
  double chance = 0;  // that a request has to wait for others' full minibatches
  // Per second: P(longer than y | it has to) = exp(-rate y).
  double rate = std::numeric_limits<double>::infinity();
};

// Minibatches of `most` requests, `full_s` each; `utilisation` below 1; groups of geometric size.
[[nodiscard]] Overflow overflow_of(double utilisation, double group, double most, double full_s);

// P(U + E > y) of those who have to: U uniform in [0, width_s], E the overflow.
[[nodiscard]] double delayed_beyond(const Overflow& overflow, double y_s, double width_s);

}  // namespace rightsize
