// The state of a simulated data path and its one loop: what happens next, and what follows of it.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <vector>

#include "models/simulate/cpu_pool.h"
#include "models/simulate/item_work.h"
#include "models/simulate/limited_disk.h"
#include "models/simulate/mark.h"
#include "models/simulate/pipeline.h"
#include "models/simulate/ready_buffer.h"
#include "models/simulate/wave.h"

namespace rightsize::simulate {

class PipelineSimulation {
 public:
  PipelineSimulation(const Laws& laws, const Setting& setting, const SimulationOptions& options)
      : laws_(laws),
        setting_(setting),
        options_(options),
        engine_(threads_of(setting)),
        cpu_(cpu_capacity(laws.scaling, setting.cpus),
             engine_ + 1,
             quota_of(laws, setting.cpus, options.quota_period_s)),
        disk_(setting,
              options.disk_queue_depth > 0 ? static_cast<std::size_t>(options.disk_queue_depth)
                                           : engine_,
              engine_),
        workers_(engine_),
        ready_(places_of(setting)),
        batch_(std::max(1, setting.workload.batch)),
        chunk_(std::clamp(options.items_per_event, 1, batch_)),
        work_(laws, setting, options, chunk_),
        has_data_(setting.workload.data != DataFormat::synthetic) {}

  SimulationSummary run() {
    const auto batch = static_cast<std::uint64_t>(batch_);
    const std::uint64_t wave = minibatches_of_wave(setting_);
    const auto warmup_steps =
        std::max(wave,
                 static_cast<std::uint64_t>(
                     std::ceil(options_.warmup_share * static_cast<double>(options_.items) /
                               static_cast<double>(batch))));
    const auto steps = steps_of_whole_turns(setting_, options_.items / batch);
    begin();
    simulate_steps(warmup_steps);
    trace_ = options_.trace;
    ready_.forget_most();
    const Mark counted_from = mark();
    simulate_steps(warmup_steps + steps);
    return summary_since(counted_from);
  }

  JobSimulation run_job(const JobLength& length) {
    const auto steps_of = [&](double items) {
      return static_cast<std::uint64_t>(std::max(1.0, std::round(items / batch_)));
    };
    const auto steps = steps_of(length.first_items() + length.later_items());
    begin();
    simulate_steps(std::min(steps, steps_of(length.first_items())));
    const double first_s = to_seconds(now_);
    simulate_steps(steps);
    return {
        first_s, to_seconds(now_) - first_s, steps * static_cast<std::uint64_t>(batch_), events_};
  }

 private:
  struct Worker {
    std::uint64_t batch = 0;
    int items_left = 0;
    int items_now = 0;  // being read or decoded
    bool waiting_for_room = false;
    double missing = 0;     // of the items being read, those the disk has to give
    Nanoseconds since = 0;  // when what it does now began
  };

  static Quota quota_of(const Laws& laws, double cpus, double period_s) {
    const double whole = std::ceil(cpus);
    return whole > cpus ? Quota{from_seconds(period_s), cpu_capacity(laws.scaling, whole)}
                        : Quota{};
  }

  Mark mark() {
    return {to_seconds(now_),
            disk_.busy_seconds(),
            cpu_.busy_core_seconds(now_),
            to_seconds(device_busy_),
            to_seconds(device_copy_),
            ready_.waiting_seconds(now_),
            steps_done_};
  }

  SimulationSummary summary_since(const Mark& begin) {
    auto summary = summary_between(begin, mark(), setting_);
    summary.ready_batches_most = ready_.most();
    summary.events = events_;
    return summary;
  }

  void begin() {
    for (std::size_t worker = 0; has_data_ && worker < workers_.size(); ++worker) {
      claim_batch(worker);
    }
    start_step_if_ready();
  }

  void simulate_steps(std::uint64_t until) {
    while (steps_done_ < until) {
      const Nanoseconds cpu = cpu_.next();
      const Nanoseconds disk = disk_.next();
      const Nanoseconds next = std::min(cpu, std::min(disk, step_due_));
      assert(next < never);  // a pipeline that cannot move is a bug
      assert(next >= now_);  // nothing happens in the past
      now_ = next;
      ++events_;
      if (cpu == next) {
        cpu_event();
      } else if (disk == next) {
        if (const auto worker = disk_.complete(now_, work_); worker != LimitedDisk::none) {
          read_finished(worker);
        }
      } else {
        step_finished();
      }
      // Items are conserved: claimed = delivered + waiting + in the workers' hands.
      assert(!has_data_ || next_batch_ >= steps_started_ + ready_.waiting());
      assert(!has_data_ || next_batch_ <= steps_started_ + ready_.waiting() + workers_.size());
    }
  }

  // A worker takes the next minibatch if the buffer has room for it, else waits.
  void claim_batch(std::size_t worker) {
    auto& self = workers_[worker];
    const bool full = !ready_.has_room(next_batch_, steps_started_);
    waiting_ += static_cast<int>(full) - static_cast<int>(self.waiting_for_room);
    self.waiting_for_room = full;
    if (full) {
      return;
    }
    self.batch = next_batch_++;
    self.items_left = batch_;
    read(worker);
  }

  void note(const char* what, int lane, Nanoseconds since) {
    if (trace_ != nullptr) {
      trace_->add({what, lane, since, now_});
    }
  }

  void read_finished(std::size_t worker) {
    note("read", static_cast<int>(worker) + 1, workers_[worker].since);
    decode(worker);
  }

  void read(std::size_t worker) {
    auto& self = workers_[worker];
    self.since = now_;
    self.items_now = std::min(self.items_left, chunk_);
    const int missing = work_.missed(self.items_now);
    self.missing = missing;
    if (missing > 0) {
      // Seeks of several readers overlap; their transfers queue for the disk's bandwidth.
      disk_.start(now_, worker, missing, work_);
    } else {
      decode(worker);
    }
  }

  void decode(std::size_t worker) {
    auto& self = workers_[worker];
    self.since = now_;
    cpu_.start(now_, worker, work_.decode_core_seconds(self.items_now, self.missing));
  }

  // A job's end, or a turn of the quota's period, at which nobody is done.
  void cpu_event() {
    const auto actor = cpu_.complete(now_);
    if (actor == CpuPool::none) {
      // What ended on the accelerator meanwhile is noticed when the process runs again.
      if (!cpu_.throttled()) {
        start_step_if_ready();
      }
    } else if (actor != engine_) {
      decoded(actor);
    } else if (setting_.accelerator_items_per_s > 0) {
      compute();
    } else {
      step_finished();
    }
  }

  void decoded(std::size_t actor) {
    auto& self = workers_[actor];
    if (trace_ != nullptr) {
      note("decode", static_cast<int>(actor) + 1, self.since);
    }
    self.items_left -= self.items_now;
    if (self.items_left > 0) {
      read(actor);
      return;
    }
    ready_.put(now_, self.batch);
    start_step_if_ready();
    claim_batch(actor);
  }

  void start_step_if_ready() {
    if (device_busy_now_ || cpu_.throttled() || (has_data_ && !ready_.take(now_, steps_started_))) {
      return;
    }
    ++steps_started_;
    device_busy_now_ = true;
    step_began_ = now_;
    start_step();
    for (std::size_t worker = 0; waiting_ > 0 && worker < workers_.size(); ++worker) {
      if (workers_[worker].waiting_for_room) {
        claim_batch(worker);
      }
    }
  }

  void start_step() {
    const double batch = batch_;
    if (setting_.accelerator_items_per_s > 0 && setting_.copy_before_step && laws_.copy_s > 0) {
      cpu_.start(now_, engine_, batch * laws_.copy_s);
    } else if (setting_.accelerator_items_per_s > 0) {
      compute();
    } else {
      // The fixed part scales by a law of its own: stretched so that the pool gives it that time.
      const double fixed_s = laws_.compute.fixed_s * cpu_capacity(laws_.scaling, setting_.cpus) /
                             cpu_capacity(laws_.fixed_scaling, setting_.cpus);
      const double work_s = (fixed_s + batch * laws_.compute.per_item_s) / setting_.cpu_speed;
      cpu_.start(now_, engine_, work_s * work_.step_factor(), std::ceil(setting_.cpus));
    }
  }

  // The accelerator's part of a step; a copy that the CPU made before it is over.
  void compute() {
    const double batch = batch_;
    const double compute_s = batch / setting_.accelerator_items_per_s * work_.step_factor();
    // Overlapped: the slower of the two sets the pace.
    const double step_s = setting_.copy_items_per_s > 0
                              ? std::max(compute_s, batch / setting_.copy_items_per_s)
                              : compute_s;
    device_copy_ += now_ - step_began_ + from_seconds(step_s - compute_s);
    step_due_ = now_ + from_seconds(step_s);
  }

  void step_finished() {
    device_busy_now_ = false;
    step_due_ = never;
    note("step", 0, step_began_);
    device_busy_ += now_ - step_began_;
    ++steps_done_;
    start_step_if_ready();
  }

  const Laws& laws_;
  const Setting& setting_;
  const SimulationOptions& options_;
  std::size_t engine_;  // the actor after the loader threads: a network that the CPUs compute
  CpuPool cpu_;
  LimitedDisk disk_;
  std::vector<Worker> workers_;
  ReadyBuffer ready_;
  int batch_;
  int chunk_;
  ItemWork work_;
  bool has_data_;
  Nanoseconds now_ = 0;
  Nanoseconds step_due_ = never;
  std::uint64_t next_batch_ = 0;
  std::uint64_t steps_started_ = 0;
  std::uint64_t steps_done_ = 0;
  int waiting_ = 0;  // workers without room
  bool device_busy_now_ = false;
  Nanoseconds step_began_ = 0;
  Nanoseconds device_busy_ = 0;
  Nanoseconds device_copy_ = 0;
  std::uint64_t events_ = 0;
  Trace* trace_ = nullptr;
};

}  // namespace rightsize::simulate
