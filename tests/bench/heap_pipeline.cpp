#include "heap_pipeline.h"

#include <algorithm>
#include <deque>
#include <map>
#include <queue>
#include <set>
#include <vector>

#include "models/simulate/random.h"
#include "models/simulate/time.h"

namespace rightsize::bench {
namespace {

using simulate::from_seconds;
using simulate::Nanoseconds;
using simulate::to_seconds;

enum EventKind { cpu_done, disk_asked, disk_done, step_done };

struct Event {
  Nanoseconds time;
  std::uint64_t number;
  int kind;
  int actor;
  std::uint64_t tag;
};

class EventQueue {
 public:
  [[nodiscard]] Nanoseconds now() const { return now_; }

  void at(Nanoseconds time, int kind, int actor, std::uint64_t tag = 0) {
    events_.push({time, next_number_++, kind, actor, tag});
  }

  [[nodiscard]] Event next() {
    const Event event = events_.top();
    events_.pop();
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

class CpuPool {
 public:
  CpuPool(EventQueue& queue, double capacity) : queue_(queue), capacity_(capacity) {}

  void start(int actor, double work_s) {
    advance();
    jobs_.emplace(virtual_now_ + work_s, actor);
    announce();
  }

  // The actor, or -1 for a stale event.
  [[nodiscard]] int complete(const Event& event) {
    if (event.tag != generation_) {
      return -1;
    }
    advance();
    const auto first = jobs_.begin();
    const int actor = first->second;
    virtual_now_ = std::max(virtual_now_, first->first);
    jobs_.erase(first);
    announce();
    return actor;
  }

 private:
  [[nodiscard]] double rate() const {
    return std::min(1.0, capacity_ / static_cast<double>(jobs_.size()));
  }

  void advance() {
    const double elapsed = to_seconds(queue_.now() - updated_);
    updated_ = queue_.now();
    virtual_now_ += jobs_.empty() ? 0 : elapsed * rate();
  }

  void announce() {
    ++generation_;
    if (!jobs_.empty()) {
      const double left = std::max(0.0, jobs_.begin()->first - virtual_now_);
      queue_.at(queue_.now() + from_seconds(left / rate()),
                EventKind::cpu_done,
                jobs_.begin()->second,
                generation_);
    }
  }

  EventQueue& queue_;
  double capacity_;
  std::multimap<double, int> jobs_;  // by the virtual time of their end
  double virtual_now_ = 0;
  Nanoseconds updated_ = 0;
  std::uint64_t generation_ = 0;
};

class Pipeline {
 public:
  Pipeline(const Laws& laws, const Setting& setting, double miss)
      : setting_(setting),
        miss_(miss),
        cpu_(queue_, cpu_capacity(laws.scaling, setting.cpus)),
        workers_(static_cast<std::size_t>(setting.loader_threads)),
        decode_s_(laws.data_cpu_s / setting.cpu_speed) {
    const DiskSpeed disk = effective_disk(laws, setting);
    const double bytes = bytes_per_item(setting);
    transfer_s_ = 1.0 / disk_items_per_s(disk, laws.disk, bytes, 1.0);
    latency_s_ = disk_seconds_per_item(disk, laws.disk, bytes, 1.0) - transfer_s_;
  }

  HeapRun run(std::uint64_t steps) {
    for (int worker = 0; worker < static_cast<int>(workers_.size()); ++worker) {
      claim(worker);
    }
    while (steps_done_ < steps) {
      handle(queue_.next());
    }
    run_.items_per_s =
        static_cast<double>(steps) * setting_.workload.batch / to_seconds(queue_.now());
    return run_;
  }

 private:
  struct Worker {
    std::uint64_t batch = 0;
    int items_left = 0;
    bool waiting = false;
  };

  void handle(const Event& event) {
    ++run_.events;
    ++run_.live_events;
    if (event.kind == EventKind::disk_asked) {
      disk_.push_back(event.actor);
      serve_if(disk_.size() == 1);
    } else if (event.kind == EventKind::disk_done) {
      const int worker = disk_.front();
      disk_.pop_front();
      serve_if(!disk_.empty());
      decode(worker);
    } else if (event.kind == EventKind::step_done) {
      busy_ = false;
      ++steps_done_;
      step();
    } else if (const int worker = cpu_.complete(event); worker >= 0) {
      decoded(worker);
    } else {
      --run_.live_events;
    }
  }

  void serve_if(bool idle) {
    if (idle) {
      queue_.at(queue_.now() + from_seconds(transfer_s_), EventKind::disk_done, disk_.front());
    }
  }

  void claim(int worker) {
    auto& self = workers_[static_cast<std::size_t>(worker)];
    const auto room =
        static_cast<std::uint64_t>(setting_.workload.prefetch_batches) + workers_.size();
    self.waiting = next_batch_ >= steps_started_ + room;
    if (!self.waiting) {
      self.batch = next_batch_++;
      self.items_left = setting_.workload.batch;
      read(worker);
    }
  }

  void read(int worker) {
    if (random_.uniform() < miss_) {
      queue_.at(queue_.now() + from_seconds(latency_s_), EventKind::disk_asked, worker);
    } else {
      decode(worker);
    }
  }

  void decode(int worker) { cpu_.start(worker, decode_s_ * random_.factor(0.25)); }

  void decoded(int worker) {
    auto& self = workers_[static_cast<std::size_t>(worker)];
    if (--self.items_left > 0) {
      read(worker);
      return;
    }
    ready_.insert(self.batch);
    step();
    claim(worker);
  }

  void step() {
    const auto found = ready_.find(steps_started_);
    if (busy_ || found == ready_.end()) {
      return;
    }
    ready_.erase(found);
    ++steps_started_;
    busy_ = true;
    const double step_s =
        setting_.workload.batch / setting_.accelerator_items_per_s * random_.factor(0.01);
    queue_.at(queue_.now() + from_seconds(step_s), EventKind::step_done, 0);
    for (int worker = 0; worker < static_cast<int>(workers_.size()); ++worker) {
      if (workers_[static_cast<std::size_t>(worker)].waiting) {
        claim(worker);
      }
    }
  }

  const Setting& setting_;
  double miss_;
  simulate::Random random_{1};
  EventQueue queue_;
  CpuPool cpu_;
  std::deque<int> disk_;
  std::vector<Worker> workers_;
  std::set<std::uint64_t> ready_;
  double decode_s_;
  double transfer_s_ = 0;
  double latency_s_ = 0;
  std::uint64_t next_batch_ = 0;
  std::uint64_t steps_started_ = 0;
  std::uint64_t steps_done_ = 0;
  bool busy_ = false;
  HeapRun run_;
};

}  // namespace

HeapRun heap_pipeline(const Laws& laws, const Setting& setting, std::uint64_t items, double miss) {
  const auto batch = static_cast<std::uint64_t>(setting.workload.batch);
  return Pipeline(laws, setting, miss).run(std::max<std::uint64_t>(1, items / batch));
}

}  // namespace rightsize::bench
