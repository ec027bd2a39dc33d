#include "models/simulate/pipeline.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>
#include <vector>

#include "models/simulate/event_queue.h"
#include "models/simulate/random.h"
#include "models/simulate/resources.h"

namespace rightsize {
namespace {

using simulate::CpuPool;
using simulate::DiskQueue;
using simulate::Event;
using simulate::EventQueue;
using simulate::Random;

enum EventKind { cpu_done, disk_asked, disk_done, step_done };

class PipelineSimulation {
 public:
  PipelineSimulation(const Laws& laws, const Setting& setting, const SimulationOptions& options)
      : laws_(laws),
        setting_(setting),
        options_(options),
        random_(options.seed),
        cpu_(queue_, cpu_capacity(laws.scaling, setting.cpus), EventKind::cpu_done),
        disk_(queue_, EventKind::disk_done),
        workers_(static_cast<std::size_t>(std::max(1, setting.loader_threads))) {
    miss_ratio_ =
        options.miss_ratio >= 0 ? options.miss_ratio : 1.0 - predicted_hit_ratio(laws, setting);
    const double bytes = bytes_per_item(setting);
    const DiskSpeed disk = effective_disk(laws, setting);
    transfer_s_ = bytes > 0 ? 1.0 / disk_items_per_s(disk, laws.disk, bytes, 1.0) : 0.0;
    latency_s_ = bytes > 0 ? disk_seconds_per_item(disk, laws.disk, bytes, 1.0) - transfer_s_ : 0.0;
    has_data_ = setting.workload.data != DataFormat::synthetic;
  }

  SimulationSummary run() {
    const auto batch = static_cast<std::uint64_t>(setting_.workload.batch);
    const auto warmup_steps = static_cast<std::uint64_t>(std::ceil(
        options_.warmup_share * static_cast<double>(options_.items) / static_cast<double>(batch)));
    const auto steps = std::max<std::uint64_t>(1, options_.items / batch);
    for (int worker = 0; has_data_ && worker < static_cast<int>(workers_.size()); ++worker) {
      claim_batch(worker);
    }
    start_step_if_ready();
    simulate_steps(warmup_steps);
    trace_ = options_.trace;
    const Mark begin = mark();
    simulate_steps(warmup_steps + steps);
    return summary_since(begin);
  }

 private:
  struct Worker {
    std::uint64_t batch = 0;
    int items_left = 0;
    bool waiting_for_room = false;
    simulate::Nanoseconds since = 0;  // when what it does now began
  };

  struct Mark {
    double time_s, disk_s, cpu_s, device_s;
    std::uint64_t steps;
  };

  Mark mark() const {
    return {simulate::to_seconds(queue_.now()),
            disk_.busy_seconds(),
            cpu_.busy_core_seconds(),
            device_busy_s_,
            steps_done_};
  }

  SimulationSummary summary_since(const Mark& begin) const {
    const Mark end = mark();
    SimulationSummary summary;
    summary.seconds = end.time_s - begin.time_s;
    summary.items = (end.steps - begin.steps) * static_cast<std::uint64_t>(setting_.workload.batch);
    summary.items_per_s = static_cast<double>(summary.items) / summary.seconds;
    summary.disk_busy = std::min(1.0, (end.disk_s - begin.disk_s) / summary.seconds);
    summary.cpu_busy = (end.cpu_s - begin.cpu_s) / summary.seconds / setting_.cpus;
    summary.accelerator_busy = (end.device_s - begin.device_s) / summary.seconds;
    summary.accelerator_wait = 1.0 - summary.accelerator_busy;
    summary.events = events_;
    return summary;
  }

  void simulate_steps(std::uint64_t until) {
    while (steps_done_ < until) {
      assert(!queue_.empty());  // a pipeline that cannot move is a bug
      const Event event = queue_.next();
      ++events_;
      switch (event.kind) {
        case EventKind::disk_asked:
          disk_.start(event.actor, transfer_s_);
          break;
        case EventKind::disk_done:
          read_finished(disk_.complete(event));
          break;
        case EventKind::cpu_done:
          cpu_finished(cpu_.complete(event));
          break;
        case EventKind::step_done:
          step_finished();
          break;
        default:
          assert(false);
      }
    }
  }

  // A worker takes the next minibatch if the buffer has room for it, else waits.
  void claim_batch(int worker) {
    auto& self = workers_[static_cast<std::size_t>(worker)];
    const auto room =
        static_cast<std::uint64_t>(setting_.workload.prefetch_batches) + workers_.size();
    self.waiting_for_room = next_batch_ >= steps_started_ + room;
    if (self.waiting_for_room) {
      return;
    }
    self.batch = next_batch_++;
    self.items_left = setting_.workload.batch;
    read(worker);
  }

  void note(const char* what, int lane, simulate::Nanoseconds since) {
    if (trace_ != nullptr) {
      trace_->add({what, lane, since, queue_.now()});
    }
  }

  void read_finished(int worker) {
    note("read", worker + 1, workers_[static_cast<std::size_t>(worker)].since);
    decode(worker);
  }

  void read(int worker) {
    workers_[static_cast<std::size_t>(worker)].since = queue_.now();
    if (transfer_s_ > 0 && random_.uniform() < miss_ratio_) {
      // Seeks of several readers overlap; their transfers queue for the disk's bandwidth.
      queue_.at(queue_.now() + simulate::from_seconds(latency_s_), EventKind::disk_asked, worker);
    } else {
      decode(worker);
    }
  }

  void decode(int worker) {
    workers_[static_cast<std::size_t>(worker)].since = queue_.now();
    cpu_.start(worker,
               laws_.data_cpu_s / setting_.cpu_speed * random_.factor(options_.decode_deviation));
  }

  void cpu_finished(int actor) {
    if (actor < 0) {
      return;  // announced before the pool changed
    }
    if (actor == engine_actor) {
      step_finished();
      return;
    }
    auto& self = workers_[static_cast<std::size_t>(actor)];
    note("decode", actor + 1, self.since);
    if (--self.items_left > 0) {
      read(actor);
      return;
    }
    ready_.insert(self.batch);
    start_step_if_ready();
    claim_batch(actor);
  }

  void start_step_if_ready() {
    if (device_busy_) {
      return;
    }
    if (has_data_) {
      // Minibatches are delivered in the sampler's order.
      const auto found = ready_.find(steps_started_);
      if (found == ready_.end()) {
        return;
      }
      ready_.erase(found);
    }
    ++steps_started_;
    device_busy_ = true;
    step_began_ = queue_.now();
    start_step();
    for (int worker = 0; worker < static_cast<int>(workers_.size()); ++worker) {
      if (workers_[static_cast<std::size_t>(worker)].waiting_for_room) {
        claim_batch(worker);
      }
    }
  }

  void start_step() {
    const double factor = random_.factor(options_.step_deviation);
    const double batch = setting_.workload.batch;
    if (setting_.accelerator_items_per_s > 0) {
      const double copy_s = setting_.copy_before_step ? batch * laws_.copy_s : 0.0;
      double step_s = copy_s + batch / setting_.accelerator_items_per_s * factor;
      if (setting_.copy_items_per_s > 0) {  // overlapped: the slower of the two sets the pace
        step_s = std::max(step_s, batch / setting_.copy_items_per_s);
      }
      queue_.at(queue_.now() + simulate::from_seconds(step_s), EventKind::step_done, 0);
    } else {
      // The fixed part scales by a law of its own: stretched so that the pool gives it that time.
      const double fixed_s = laws_.compute.fixed_s * cpu_capacity(laws_.scaling, setting_.cpus) /
                             cpu_capacity(laws_.fixed_scaling, setting_.cpus);
      const double work_s = (fixed_s + batch * laws_.compute.per_item_s) / setting_.cpu_speed;
      cpu_.start(engine_actor, work_s * factor, std::ceil(setting_.cpus));
    }
  }

  void step_finished() {
    device_busy_ = false;
    note("step", 0, step_began_);
    device_busy_s_ += simulate::to_seconds(queue_.now() - step_began_);
    ++steps_done_;
    start_step_if_ready();
  }

  static constexpr int engine_actor = 1 << 30;

  const Laws& laws_;
  const Setting& setting_;
  const SimulationOptions& options_;
  EventQueue queue_;
  Random random_;
  CpuPool cpu_;
  DiskQueue disk_;
  std::vector<Worker> workers_;
  double miss_ratio_ = 0;
  double transfer_s_ = 0;
  double latency_s_ = 0;
  bool has_data_ = false;
  std::set<std::uint64_t> ready_;
  std::uint64_t next_batch_ = 0;
  std::uint64_t steps_started_ = 0;
  std::uint64_t steps_done_ = 0;
  bool device_busy_ = false;
  simulate::Nanoseconds step_began_ = 0;
  double device_busy_s_ = 0;
  std::uint64_t events_ = 0;
  simulate::Trace* trace_ = nullptr;
};

}  // namespace

SimulationSummary simulate_pipeline(const Laws& laws,
                                    const Setting& setting,
                                    const SimulationOptions& options) {
  return PipelineSimulation(laws, setting, options).run();
}

StallBreakdown simulated_stalls(const Laws& laws,
                                const Setting& setting,
                                const SimulationOptions& options) {
  const double as_asked_s = 1.0 / simulate_pipeline(laws, setting, options).items_per_s;
  SimulationOptions cached = options;
  cached.miss_ratio = 0;
  const double cached_s =
      std::min(as_asked_s, 1.0 / simulate_pipeline(laws, setting, cached).items_per_s);
  Setting synthetic = setting;
  synthetic.workload.data = DataFormat::synthetic;
  Laws no_data = laws;
  no_data.data_cpu_s = 0;
  const double ready_s =
      std::min(cached_s, 1.0 / simulate_pipeline(no_data, synthetic, options).items_per_s);
  return {ready_s / as_asked_s,
          (cached_s - ready_s) / as_asked_s,
          (as_asked_s - cached_s) / as_asked_s};
}

}  // namespace rightsize
