#include "models/simulate/resources.h"

#include <algorithm>
#include <cassert>

namespace rightsize::simulate {

CpuPool::CpuPool(EventQueue& queue, double capacity, int event_kind)
    : queue_(queue), capacity_(capacity), event_kind_(event_kind) {}

void CpuPool::start(int actor, double work_s, double weight) {
  advance();
  jobs_.emplace(virtual_now_ + work_s / weight, Job{actor, weight});
  total_weight_ += weight;
  announce();
}

int CpuPool::complete(const Event& event) {
  if (event.tag != generation_) {
    return -1;
  }
  advance();
  assert(!jobs_.empty());
  const auto first = jobs_.begin();
  const Job job = first->second;
  // The event's time is rounded to a nanosecond; virtual time must not fall behind the job's end.
  virtual_now_ = std::max(virtual_now_, first->first);
  total_weight_ -= job.weight;
  jobs_.erase(first);
  if (jobs_.empty()) {
    total_weight_ = 0;
  }
  announce();
  return job.actor;
}

void CpuPool::advance() {
  const double elapsed = to_seconds(queue_.now() - updated_);
  updated_ = queue_.now();
  if (jobs_.empty()) {
    return;
  }
  const double rate = std::min(1.0, capacity_ / total_weight_);
  virtual_now_ += elapsed * rate;
  busy_core_s_ += elapsed * std::min(capacity_, total_weight_);
}

void CpuPool::announce() {
  ++generation_;
  if (jobs_.empty()) {
    return;
  }
  const double rate = std::min(1.0, capacity_ / total_weight_);
  const double left = std::max(0.0, jobs_.begin()->first - virtual_now_);
  queue_.at(queue_.now() + from_seconds(left / rate),
            event_kind_,
            jobs_.begin()->second.actor,
            generation_);
}

DiskQueue::DiskQueue(EventQueue& queue, int event_kind) : queue_(queue), event_kind_(event_kind) {}

void DiskQueue::start(int actor, double service_s) {
  waiting_.push_back({actor, service_s});
  if (waiting_.size() == 1) {
    serve();
  }
}

int DiskQueue::complete(const Event&) {
  assert(!waiting_.empty());
  const int actor = waiting_.front().actor;
  waiting_.pop_front();
  if (!waiting_.empty()) {
    serve();
  }
  return actor;
}

void DiskQueue::serve() {
  const auto& request = waiting_.front();
  busy_s_ += request.service_s;
  queue_.at(queue_.now() + from_seconds(request.service_s), event_kind_, request.actor);
}

}  // namespace rightsize::simulate
