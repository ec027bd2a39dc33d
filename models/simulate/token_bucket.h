// A device behind a rate limit, as clouds and cgroups impose it: requests are admitted in order of
// arrival as tokens allow, and are then served one by one at the device's own speed. Tokens come at
// the limit's rate and are saved up for `depth` at most, so that a reader that thinks between its
// requests loses nothing. Depth 0 and a device as slow as the limit make a plain queue.
// As the generic cell rate algorithm of ITU-T I.371, with a theoretical arrival time.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

#include "models/simulate/time.h"

namespace rightsize::simulate {

// The tokens alone: when a request is let in.
class Allowance {
 public:
  // Full when it begins.
  explicit Allowance(Nanoseconds depth) : depth_(depth) {}

  // When a request of `cost` that comes `now`, not before the last one, is admitted.
  Nanoseconds admit(Nanoseconds now, Nanoseconds cost) {
    const Nanoseconds admitted = std::max(now, paid_until_ - depth_);
    paid_until_ = std::max(paid_until_, admitted) + cost;
    return admitted;
  }

 private:
  Nanoseconds depth_;
  Nanoseconds paid_until_ = 0;
};

class TokenBucket {
 public:
  // Room for one request of each of `actors`.
  TokenBucket(Nanoseconds depth, std::size_t actors)
      : allowance_(depth), requests_(actors > 0 ? actors : 1) {}

  // `cost`: its bytes over the limit's rate; `service`: the device's own time for them.
  void start(Nanoseconds now, std::size_t actor, Nanoseconds cost, Nanoseconds service) {
    const Nanoseconds admitted = allowance_.admit(now, cost);
    served_until_ = std::max(served_until_, admitted) + service;
    spent_ += cost;
    assert(count_ < requests_.size());
    std::size_t place = head_ + count_++;
    place -= place >= requests_.size() ? requests_.size() : 0;
    requests_[place] = {actor, served_until_};
  }

  // When the next request is done; never when there is none.
  [[nodiscard]] Nanoseconds next() const { return count_ > 0 ? requests_[head_].due : never; }

  // Ends the request that is due at `now` and returns its actor.
  [[nodiscard]] std::size_t complete([[maybe_unused]] Nanoseconds now) {
    assert(now == next());
    const auto actor = requests_[head_].actor;
    head_ = head_ + 1 == requests_.size() ? 0 : head_ + 1;
    --count_;
    return actor;
  }

  // Of the limit, counted when a request comes.
  [[nodiscard]] double busy_seconds() const { return to_seconds(spent_); }

 private:
  struct Request {
    std::size_t actor = 0;
    Nanoseconds due = 0;
  };

  Allowance allowance_;
  std::vector<Request> requests_;  // a ring: they are done in the order they came
  std::size_t head_ = 0;
  std::size_t count_ = 0;
  Nanoseconds served_until_ = 0;
  Nanoseconds spent_ = 0;
};

}  // namespace rightsize::simulate
