#include "models/simulate/pipeline.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "models/simulate/cpu_pool.h"
#include "models/simulate/item_work.h"
#include "models/simulate/station.h"

namespace rightsize {
namespace {

using simulate::CpuPool;
using simulate::from_seconds;
using simulate::Nanoseconds;
using simulate::never;
using simulate::Station;
using simulate::to_seconds;

std::size_t threads_of(const Setting& setting) {
  return static_cast<std::size_t>(std::max(1, setting.loader_threads));
}

class PipelineSimulation {
 public:
  PipelineSimulation(const Laws& laws, const Setting& setting, const SimulationOptions& options)
      : laws_(laws),
        setting_(setting),
        options_(options),
        engine_(threads_of(setting)),
        cpu_(cpu_capacity(laws.scaling, setting.cpus), engine_ + 1),
        seeks_(options.disk_queue_depth > 0 ? static_cast<std::size_t>(options.disk_queue_depth)
                                            : engine_,
               engine_),
        transfers_(1, engine_),
        workers_(engine_),
        ready_(static_cast<std::size_t>(std::max(0, setting.workload.prefetch_batches)) + engine_),
        batch_(std::max(1, setting.workload.batch)),
        chunk_(std::clamp(options.items_per_event, 1, batch_)),
        work_(laws, setting, options, chunk_),
        has_data_(setting.workload.data != DataFormat::synthetic) {}

  SimulationSummary run() {
    const auto batch = static_cast<std::uint64_t>(batch_);
    const auto warmup_steps = static_cast<std::uint64_t>(std::ceil(
        options_.warmup_share * static_cast<double>(options_.items) / static_cast<double>(batch)));
    const auto steps = std::max<std::uint64_t>(1, options_.items / batch);
    for (std::size_t worker = 0; has_data_ && worker < workers_.size(); ++worker) {
      claim_batch(worker);
    }
    start_step_if_ready();
    simulate_steps(warmup_steps);
    trace_ = options_.trace;
    ready_most_ = ready_count_;
    const Mark begin = mark();
    simulate_steps(warmup_steps + steps);
    return summary_since(begin);
  }

 private:
  struct Worker {
    std::uint64_t batch = 0;
    int items_left = 0;
    int items_now = 0;  // being read or decoded
    bool waiting_for_room = false;
    double transfer_s = 0;  // of the items being read
    Nanoseconds since = 0;  // when what it does now began
  };

  struct Mark {
    double time_s, disk_s, cpu_s, device_s, copy_s, ready_batch_s;
    std::uint64_t steps;
  };

  Mark mark() {
    count_ready(0);
    return {to_seconds(now_),
            transfers_.busy_seconds(),
            cpu_.busy_core_seconds(now_),
            to_seconds(device_busy_),
            to_seconds(device_copy_),
            ready_batch_ns_ * 1e-9,
            steps_done_};
  }

  SimulationSummary summary_since(const Mark& begin) {
    const Mark end = mark();
    SimulationSummary summary;
    summary.seconds = end.time_s - begin.time_s;
    summary.items = (end.steps - begin.steps) * static_cast<std::uint64_t>(batch_);
    summary.items_per_s = static_cast<double>(summary.items) / summary.seconds;
    summary.disk_busy = std::min(1.0, (end.disk_s - begin.disk_s) / summary.seconds);
    summary.cpu_busy = (end.cpu_s - begin.cpu_s) / summary.seconds / setting_.cpus;
    summary.accelerator_busy =
        std::min(1.0, (end.device_s - begin.device_s) / summary.seconds);  // rounding
    summary.accelerator_wait = 1.0 - summary.accelerator_busy;
    summary.accelerator_copy = (end.copy_s - begin.copy_s) / (end.device_s - begin.device_s);
    summary.ready_batches_mean = (end.ready_batch_s - begin.ready_batch_s) / summary.seconds;
    summary.ready_batches_most = ready_most_;
    summary.events = events_;
    assert(end.device_s - begin.device_s < summary.seconds * (1 + 1e-9));
    assert(summary.cpu_busy < 1 + 1e-9);
    return summary;
  }

  void simulate_steps(std::uint64_t until) {
    while (steps_done_ < until) {
      const Nanoseconds cpu = cpu_.next();
      const Nanoseconds disk = std::min(seeks_.next(), transfers_.next());
      const Nanoseconds next = std::min(cpu, std::min(disk, step_due_));
      assert(next < never);  // a pipeline that cannot move is a bug
      assert(next >= now_);  // nothing happens in the past
      now_ = next;
      ++events_;
      if (cpu == next) {
        cpu_finished(cpu_.complete(now_));
      } else if (seeks_.next() == next) {
        const auto worker = seeks_.complete(now_);
        transfers_.start(now_, worker, from_seconds(workers_[worker].transfer_s));
      } else if (transfers_.next() == next) {
        read_finished(transfers_.complete(now_));
      } else {
        step_finished();
      }
      // Items are conserved: claimed = delivered + waiting + in the workers' hands.
      assert(!has_data_ || next_batch_ >= steps_started_ + ready_count_);
      assert(!has_data_ || next_batch_ <= steps_started_ + ready_count_ + workers_.size());
    }
  }

  // A worker takes the next minibatch if the buffer has room for it, else waits.
  void claim_batch(std::size_t worker) {
    auto& self = workers_[worker];
    const bool full = next_batch_ >= steps_started_ + ready_.size();
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
    if (missing > 0) {
      // Seeks of several readers overlap; their transfers queue for the disk's bandwidth.
      self.transfer_s = work_.transfer_seconds() * missing;
      seeks_.start(now_, worker, from_seconds(work_.seek_seconds() * missing));
    } else {
      decode(worker);
    }
  }

  void decode(std::size_t worker) {
    auto& self = workers_[worker];
    self.since = now_;
    cpu_.start(now_, worker, work_.decode_core_seconds(self.items_now));
  }

  void cpu_finished(std::size_t actor) {
    if (actor == engine_) {
      step_finished();
      return;
    }
    auto& self = workers_[actor];
    if (trace_ != nullptr) {
      note("decode", static_cast<int>(actor) + 1, self.since);
    }
    self.items_left -= self.items_now;
    if (self.items_left > 0) {
      read(actor);
      return;
    }
    ready_[self.batch % ready_.size()] = 1;
    count_ready(1);
    start_step_if_ready();
    claim_batch(actor);
  }

  // Keeps the integral of the minibatches that wait.
  void count_ready(int change) {
    ready_batch_ns_ += static_cast<double>(ready_count_) * static_cast<double>(now_ - ready_since_);
    ready_since_ = now_;
    ready_count_ += static_cast<std::uint64_t>(change);
    ready_most_ = std::max(ready_most_, ready_count_);
  }

  void start_step_if_ready() {
    if (device_busy_now_) {
      return;
    }
    if (has_data_) {
      // Minibatches are delivered in the sampler's order.
      char& first = ready_[steps_started_ % ready_.size()];
      if (first == 0) {
        return;
      }
      first = 0;
      count_ready(-1);
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
    const double factor = work_.step_factor();
    const double batch = batch_;
    if (setting_.accelerator_items_per_s > 0) {
      const double compute_s = batch / setting_.accelerator_items_per_s * factor;
      double step_s = compute_s + (setting_.copy_before_step ? batch * laws_.copy_s : 0.0);
      if (setting_.copy_items_per_s > 0) {  // overlapped: the slower of the two sets the pace
        step_s = std::max(step_s, batch / setting_.copy_items_per_s);
      }
      device_copy_ += from_seconds(step_s - compute_s);
      step_due_ = now_ + from_seconds(step_s);
    } else {
      // The fixed part scales by a law of its own: stretched so that the pool gives it that time.
      const double fixed_s = laws_.compute.fixed_s * cpu_capacity(laws_.scaling, setting_.cpus) /
                             cpu_capacity(laws_.fixed_scaling, setting_.cpus);
      const double work_s = (fixed_s + batch * laws_.compute.per_item_s) / setting_.cpu_speed;
      cpu_.start(now_, engine_, work_s * factor, std::ceil(setting_.cpus));
    }
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
  Station seeks_;
  Station transfers_;
  std::vector<Worker> workers_;
  std::vector<char> ready_;  // by minibatch modulo the buffer
  int batch_;
  int chunk_;
  simulate::ItemWork work_;
  bool has_data_;
  Nanoseconds now_ = 0;
  Nanoseconds step_due_ = never;
  std::uint64_t next_batch_ = 0;
  std::uint64_t steps_started_ = 0;
  std::uint64_t steps_done_ = 0;
  std::uint64_t ready_count_ = 0;
  std::uint64_t ready_most_ = 0;
  Nanoseconds ready_since_ = 0;
  double ready_batch_ns_ = 0;
  int waiting_ = 0;  // workers without room
  bool device_busy_now_ = false;
  Nanoseconds step_began_ = 0;
  Nanoseconds device_busy_ = 0;
  Nanoseconds device_copy_ = 0;
  std::uint64_t events_ = 0;
  simulate::Trace* trace_ = nullptr;
};

}  // namespace

SimulationSummary simulate_pipeline(const Laws& laws,
                                    const Setting& setting,
                                    const SimulationOptions& options) {
  return PipelineSimulation(laws, setting, options).run();
}

}  // namespace rightsize
