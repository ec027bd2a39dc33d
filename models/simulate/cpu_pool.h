// A processor-sharing pool of CPUs: with weights w_i (a job of n threads weighs n), each unit of
// weight runs at min(1, capacity / sum w). Kept in virtual time, which passes at that rate, so that
// a job's end does not move when others come and go: Parekh & Gallager, "A generalized processor
// sharing approach to flow control", IEEE/ACM Transactions on Networking 1 (1993).
// Virtual time is an integer of 1/64 ns: exact to add, good for four years at full speed, of which
// most_simulated_s (pipeline.h) is one.
// A quota of a larger machine runs at that machine's speed until it is spent, and then not at all
// until its period ends: Turner et al., "CPU bandwidth control for CFS", Linux Symposium 2010.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <vector>

#include "models/simulate/time.h"
#include "models/simulate/timers.h"

namespace rightsize::simulate {

// capacity x period core-seconds in each period, as fast as `host_capacity` allows.
struct Quota {
  Nanoseconds period = 0;  // 0: the capacity is there all the time
  double host_capacity = 0;
};

class CpuPool {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  // `capacity` in cores, > 0; actors are numbered from 0 and have one job at a time.
  CpuPool(double capacity, std::size_t actors, const Quota& quota = {})
      : capacity_(quota.period > 0 ? quota.host_capacity : capacity),
        period_(quota.period),
        granted_core_ns_(capacity * static_cast<double>(quota.period)),
        left_core_ns_(granted_core_ns_),
        renewal_(quota.period > 0 ? quota.period : never),
        ends_(actors),
        weights_(actors, 0.0) {
    assert(capacity > 0);
  }

  // The quota is spent: nobody runs until its period ends.
  [[nodiscard]] bool throttled() const { return throttled_; }

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
    if (throttled_) {
      return renewal_;
    }
    if (jobs_ == 0) {
      return never;
    }
    return period_ > 0 ? std::min(next_turn(), next_end()) : next_end();
  }

  // Ends the job that is due at `now` and returns its actor; `none` where only the quota turned.
  [[nodiscard]] std::size_t complete(Nanoseconds now) {
    advance(now);
    if (period_ > 0 && turned(now)) {
      return none;
    }
    return ended();
  }

  // Until `now`, which is not before the last event.
  [[nodiscard]] double busy_core_seconds(Nanoseconds now) {
    advance(now);
    return busy_core_ns_ * 1e-9;
  }
  [[nodiscard]] std::size_t jobs() const { return jobs_; }

 private:
  static constexpr double ticks_per_s = 64e9;

  [[nodiscard]] Nanoseconds next_end() {
    share();
    const auto left = static_cast<double>(std::max<Nanoseconds>(0, ends_.due() - virtual_now_));
    return updated_ + static_cast<Nanoseconds>(left * ns_per_tick_ + 0.5);
  }

  std::size_t ended() {
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

  // When the quota is renewed or, before that, spent.
  [[nodiscard]] Nanoseconds next_turn() {
    share();
    // Never early: what is left then would be too little to be seen and too much to be nothing.
    const double left_ns = std::max(0.0, left_core_ns_) / busy_cores_;
    return std::min(renewal_, updated_ + static_cast<Nanoseconds>(std::ceil(left_ns)));
  }

  // Renews the quota or finds it spent; false when it is time for neither.
  bool turned(Nanoseconds now) {
    if (now >= renewal_) {
      renew(now);
      return true;
    }
    if (left_core_ns_ <= granted_core_ns_ * 1e-9) {
      throttled_ = true;
      return true;
    }
    return false;
  }

  void renew(Nanoseconds now) {
    renewal_ += (now - renewal_) / period_ * period_ + period_;
    left_core_ns_ = granted_core_ns_;
    throttled_ = false;
  }

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
    if (period_ > 0 && jobs_ == 0 && !throttled_ && now >= renewal_) {
      renew(now);  // periods passed that nobody needed
    }
    if (jobs_ > 0 && now > updated_ && !throttled_) {
      share();
      const auto elapsed = static_cast<double>(now - updated_);
      virtual_now_ += static_cast<Nanoseconds>(elapsed * ticks_per_ns_);
      busy_core_ns_ += elapsed * busy_cores_;
      left_core_ns_ -= elapsed * busy_cores_;
    }
    updated_ = now;
  }

  double capacity_;
  Nanoseconds period_;  // of a quota; 0: none
  double granted_core_ns_;
  double left_core_ns_;
  Nanoseconds renewal_;
  bool throttled_ = false;
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
