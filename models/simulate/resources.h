// The two shared resources of a data path: a processor-sharing CPU pool and a first-come
// first-served disk. Each announces its next completion as an event of the queue.
#pragma once

#include <cstdint>
#include <deque>
#include <map>

#include "models/simulate/event_queue.h"

namespace rightsize::simulate {

// `capacity` cores shared equally: with weights w_i (a job of n threads weighs n), each unit of
// weight runs at min(1, capacity / sum w). Exact in virtual time, O(log jobs) per event.
class CpuPool {
 public:
  CpuPool(EventQueue& queue, double capacity, int event_kind);

  // `work_s` core-seconds in total, on at most `weight` cores at once.
  void start(int actor, double work_s, double weight = 1);

  // Called for each event of `event_kind`; returns the finished actor, or -1 for a stale event.
  [[nodiscard]] int complete(const Event& event);

  [[nodiscard]] double busy_core_seconds() const { return busy_core_s_; }

 private:
  struct Job {
    int actor;
    double weight;
  };

  void advance();
  void announce();

  EventQueue& queue_;
  double capacity_;
  int event_kind_;
  std::multimap<double, Job> jobs_;  // by the virtual time of their end
  double total_weight_ = 0;
  double virtual_now_ = 0;
  Nanoseconds updated_ = 0;
  std::uint64_t generation_ = 0;
  double busy_core_s_ = 0;
};

// One request at a time, in order of arrival.
class DiskQueue {
 public:
  DiskQueue(EventQueue& queue, int event_kind);

  void start(int actor, double service_s);
  [[nodiscard]] int complete(const Event& event);
  [[nodiscard]] double busy_seconds() const { return busy_s_; }

 private:
  struct Request {
    int actor;
    double service_s;
  };

  void serve();

  EventQueue& queue_;
  int event_kind_;
  std::deque<Request> waiting_;
  double busy_s_ = 0;
};

}  // namespace rightsize::simulate
