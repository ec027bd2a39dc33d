// The event queue: integer nanoseconds, one total order (time, then insertion number), so that the
// same inputs give the same bytes everywhere.
#pragma once

#include <cassert>
#include <cstdint>
#include <queue>
#include <vector>

namespace rightsize::simulate {

using Nanoseconds = std::int64_t;

[[nodiscard]] constexpr Nanoseconds from_seconds(double seconds) {
  return static_cast<Nanoseconds>(seconds * 1e9 + 0.5);
}
[[nodiscard]] constexpr double to_seconds(Nanoseconds time) {
  return static_cast<double>(time) * 1e-9;
}

struct Event {
  Nanoseconds time = 0;
  std::uint64_t number = 0;  // insertion order
  int kind = 0;
  int actor = 0;
  std::uint64_t tag = 0;  // lets a resource recognise its stale events
};

class EventQueue {
 public:
  [[nodiscard]] Nanoseconds now() const { return now_; }
  [[nodiscard]] bool empty() const { return events_.empty(); }

  void at(Nanoseconds time, int kind, int actor, std::uint64_t tag = 0) {
    assert(time >= now_);  // nothing happens in the past
    events_.push({time, next_number_++, kind, actor, tag});
  }

  // Removes the earliest event and moves time to it.
  [[nodiscard]] Event next() {
    const Event event = events_.top();
    events_.pop();
    assert(event.time >= now_);
    now_ = event.time;
    return event;
  }

 private:
  struct Later {
    bool operator()(const Event& a, const Event& b) const {
      return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
  };
  std::priority_queue<Event, std::vector<Event>, Later> events_;
  Nanoseconds now_ = 0;
  std::uint64_t next_number_ = 0;
};

}  // namespace rightsize::simulate
