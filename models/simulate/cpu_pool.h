// A processor-sharing pool of CPUs: with weights w_i (a job of n threads weighs n), each unit of
// weight runs at min(1, capacity / sum w). Kept in virtual time, which passes at that rate, so that
// a job's end does not move when others come and go: Parekh & Gallager, "A generalized processor
// sharing approach to flow control", IEEE/ACM Transactions on Networking 1 (1993).
// Virtual time is an integer of 1/64 ns: exact to add, good for four years at full speed.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

#include "models/simulate/time.h"
#include "models/simulate/timers.h"

namespace rightsize::simulate {

class CpuPool {
 public:
  // `capacity` in cores, > 0; actors are numbered from 0 and have one job at a time.
  CpuPool(double capacity, std::size_t actors)
      : capacity_(capacity), ends_(actors), weights_(actors, 0.0) {
    assert(capacity > 0);
  }

  // `work_s` core-seconds in total, on at most `weight` cores at once.
  void start(Nanoseconds now, std::size_t actor, double work_s, double weight = 1) {
    advance(now);
    if (vacated_ != actor) {
      vacate();
    }
    assert(weights_[actor] == 0);  // one job per actor
    vacated_ = none;
    const auto ticks = static_cast<Nanoseconds>(work_s / weight * ticks_per_s + 0.5);
    ends_.set(actor, virtual_now_ + ticks);
    weights_[actor] = weight;
    total_weight_ += weight;
    ++jobs_;
  }

  // When the next job ends; never when there is none.
  [[nodiscard]] Nanoseconds next() {
    vacate();
    if (jobs_ == 0) {
      return never;
    }
    share();
    const auto left = static_cast<double>(std::max<Nanoseconds>(0, ends_.due() - virtual_now_));
    return updated_ + static_cast<Nanoseconds>(left * ns_per_tick_ + 0.5);
  }

  // Ends the job that is due at `now` and returns its actor.
  [[nodiscard]] std::size_t complete(Nanoseconds now) {
    advance(now);
    const std::size_t actor = ends_.first();
    // `now` is rounded to a nanosecond; virtual time must not fall behind the job's end.
    virtual_now_ = std::max(virtual_now_, ends_.due());
    total_weight_ -= weights_[actor];
    weights_[actor] = 0;
    if (--jobs_ == 0) {
      total_weight_ = 0;
    }
    vacated_ = actor;
    return actor;
  }

  // Until `now`, which is not before the last event.
  [[nodiscard]] double busy_core_seconds(Nanoseconds now) {
    advance(now);
    return busy_core_ns_ * 1e-9;
  }
  [[nodiscard]] std::size_t jobs() const { return jobs_; }

 private:
  static constexpr double ticks_per_s = 64e9;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  // The timer of a job that ended is taken out only when its actor does not start the next at once.
  void vacate() {
    if (vacated_ != none) {
      ends_.set(vacated_, never);
      vacated_ = none;
    }
  }

  // The rate of the weights as they are now.
  void share() {
    if (shared_weight_ == total_weight_) {
      return;
    }
    shared_weight_ = total_weight_;
    const double rate = std::min(1.0, capacity_ / total_weight_);
    ticks_per_ns_ = 64.0 * rate;
    ns_per_tick_ = 1.0 / ticks_per_ns_;
    busy_cores_ = std::min(capacity_, total_weight_);
  }

  void advance(Nanoseconds now) {
    assert(now >= updated_);
    if (jobs_ > 0 && now > updated_) {
      share();
      const auto elapsed = static_cast<double>(now - updated_);
      virtual_now_ += static_cast<Nanoseconds>(elapsed * ticks_per_ns_);
      busy_core_ns_ += elapsed * busy_cores_;
    }
    updated_ = now;
  }

  double capacity_;
  Timers ends_;  // in virtual time
  std::vector<double> weights_;
  std::size_t jobs_ = 0;
  std::size_t vacated_ = none;
  double total_weight_ = 0;
  double shared_weight_ = -1;
  double ticks_per_ns_ = 64;
  double ns_per_tick_ = 1.0 / 64;
  double busy_cores_ = 0;
  Nanoseconds virtual_now_ = 0;
  Nanoseconds updated_ = 0;
  double busy_core_ns_ = 0;
};

}  // namespace rightsize::simulate
