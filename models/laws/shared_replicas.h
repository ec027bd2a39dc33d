// Two or more replicas behind a front end that gives each request to whichever has the fewest,
// waiting or in work. Their totals stay within one of each other, so that the number N of all is a
// state: c replicas have N / c each, a birth-and-death chain whose next probability is the last one
// times e^-x. Gupta, Harchol-Balter, Sigman & Whitt, "Analysis of join-the-shortest-queue routing
// for web server farms", Performance Evaluation 64 (2007), for totals and how little they depend on
// the service's distribution.
//
// clang-format off
//   N < c              N of them work alone, each t(1), the window before it: each is done by
//                      N / (window + t(1)), and x = ln(g / (r + g - 1)), r = arrivals / done, as of
//                      exponential service; of single arrivals a Poisson law (M/G/infinity).
//   c <= N < 2 c B     half of a replica's total is in work, half waits for it: minibatches of
//                      N / 2c.
//   2 c B <= N         all are full and the rest waits: x is the root of
//                      r (e^x - 1) / (1 - (g - 1) (e^x - 1)) = x, as of minibatches of constant
//                      time (Asmussen, "Applied Probability and Queues", XIII.5; Crommelin's M/D/c
//                      for B = 1, g = 1).
// clang-format on
//
// Bursts are groups of geometric size, mean g; who arrives in one finds its members before it there
// as well. A replica that finishes falls below the others and is filled up again at once, so
// requests wait for most of a minibatch: uniformly from 1 - 2 / (c + 1) of it to all.
// Windows longer than a minibatch takes are held against it: then all who wait start together; and
// where they outlast the filling of minibatches, or nearly (c B / r <= window + t(B)), replicas
// start as they fill (filling_wait.h).
//
// Of 2 to 32 replicas, up to 0.95 of what they can do, simulate/serving plays a p99 of 0.72 to 1.2
// times this; with bursts of 4 0.7 to 1.3, with windows longer than a minibatch takes 0.8 to 1.4
// (tests/bench/serving_grid.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "models/laws/filling_wait.h"
#include "models/laws/serving.h"

namespace rightsize {

class SharedReplicas {
 public:
  // `time` of one; load.replicas >= 2. Both are copied.
  SharedReplicas(const MinibatchTime& time, const ServingLoad& load);

  [[nodiscard]] double utilisation() const { return utilisation_; }
  // Of what follows nothing is known from a utilisation of 1 on.
  [[nodiscard]] double mean_batch() const;
  [[nodiscard]] double mean() const;            // seconds from arrival to answer
  [[nodiscard]] double tail(double x_s) const;  // P(latency > x)
  [[nodiscard]] double longest_s() const;       // a bound of it, next to nothing is beyond

 private:
  // As many states side by side as differ little, and what a request finds in them.
  struct Cell {
    double share;    // of requests
    double least_s;  // latency: uniform from here
    double most_s;   // to here
    double more;     // chance of another full minibatch ahead of it
  };

  // Whether all who wait start at once: when such a step ends nobody has waited for long enough.
  [[nodiscard]] bool together(double step_s) const { return window_s_ > step_s; }
  [[nodiscard]] double done_per_s(double all) const;
  [[nodiscard]] double ratio(double all) const;
  [[nodiscard]] double likeliest() const;
  // The states above `from` or below it, to where next to none are left.
  template <bool up>
  std::size_t walk(double from, std::size_t most);
  void lay_out();
  void meet_bursts();
  [[nodiscard]] Cell found(double all) const;

  struct States {
    double first;
    double count;
    double chance;  // of all of them, at first times a constant

    [[nodiscard]] double middle() const { return first + (count - 1) / 2; }
  };

  static constexpr std::size_t most_cells = 384;
  MinibatchTime time_;
  double replicas_;
  double rate_;
  double most_;
  double group_;
  double window_s_;
  double alone_s_;
  double full_s_;
  double utilisation_ = 0;
  std::optional<FillingWait> filling_;  // where that ends before the window; then nothing below
  double when_full_ = 0;                // e^-x while all replicas are full
  // Of both, count_ are laid out, a few dozen mostly; to clear the rest would take as long.
  std::array<States, most_cells> states_;  // NOLINT(*-member-init)
  std::array<Cell, most_cells> cells_;     // NOLINT(*-member-init)
  std::size_t count_ = 0;
};

}  // namespace rightsize
