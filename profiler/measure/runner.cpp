#include "profiler/measure/runner.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "profiler/command/left_programs.h"
#include "profiler/command/unseen_steps.h"
#include "profiler/measure/assemble.h"
#include "profiler/measure/blank_record.h"
#include "profiler/measure/cache_state.h"
#include "profiler/measure/core_speed.h"
#include "profiler/measure/sampler.h"

namespace rightsize {
namespace {

// oneDNN's words (ONEDNN_MAX_CPU_ISA), for ours.
std::string isa_variable(const std::string& isa) {
  return "ONEDNN_MAX_CPU_ISA=" + std::string(isa == "sse41"  ? "SSE41"
                                             : isa == "avx2" ? "AVX2"
                                                             : "AVX512_CORE");
}

WorkerCommand command_for(const RunSpec& spec, const RunOptions& options) {
  WorkerCommand command{options.executable, options.arguments, {}};
  if (!spec.command.empty()) {
    return command;  // the user's program is run as it would be without us
  }
  command.environment.push_back(fmt::format("OMP_NUM_THREADS={}", engine_threads_of(spec)));
  // Waiting threads must not burn the quota, nor the cores that the loader decodes on; but in a
  // network of small steps the next parallel region is nearer than the waking of a thread: a
  // thousand turns, some microseconds, make an LSTM on 2 vCPUs three times as fast.
  command.environment.push_back("OMP_WAIT_POLICY=passive");
  command.environment.push_back("GOMP_SPINCOUNT=1000");
  if (!spec.limits.isa.empty()) {
    command.environment.push_back(isa_variable(spec.limits.isa));
  }
  return command;
}

bool is_limited(const Limits& limits) {
  Limits none;
  none.isa = limits.isa;
  none.gpu_memory_bytes = limits.gpu_memory_bytes;  // the engine's own affair, as is the share
  none.gpu_share = limits.gpu_share;
  return limits != none;
}

// The time the machine spent while the run was measured.
void compare_system(const SystemCpu& before,
                    const SystemCpu& after,
                    double ours_s,
                    double wall_s,
                    Surroundings& seen) {
  const double busy = after.busy_s - before.busy_s;
  const double idle = after.idle_s - before.idle_s;
  const double steal = after.steal_s - before.steal_s;
  const double all = busy + idle + steal;
  if (all > 0 && wall_s > 0) {
    seen.steal_share = steal / all;
    seen.idle_share = idle / all;
    seen.neighbour_cpus = std::max(0.0, (busy - ours_s) / wall_s);
  }
}

// The driver is asked only where a GPU does the work: a watch keeps its library open.
std::unique_ptr<GpuWatch> watch_gpu(const RunSpec& spec) {
  const bool may_use = spec.workload.engine == EngineKind::gpu || !spec.command.empty();
  return may_use ? std::make_unique<GpuWatch>() : nullptr;
}

class Supervision {
 public:
  Supervision(const RunSpec& spec, const RunOptions& options, const Throttle& throttle)
      : spec_(spec),
        options_(options),
        throttle_(throttle),
        worker_(command_for(spec, options), throttle),
        gpu_(watch_gpu(spec)),
        sampler_(worker_.pid(), throttle, clock_, options.sample_period_s, gpu_.get()) {}

  // Until the worker has closed its end; kills it at the time-out. Throws Interrupted.
  void watch() {
    worker_.send(boost::json::serialize(to_json(spec_)));
    begin_s_ = clock_.now_s();
    while (const auto lines = worker_.receive(options_.sample_period_s)) {
      for (const auto& line : *lines) {
        take(line);
      }
      sampler_.tick();
      if (InterruptScope::count() >= options_.stop_at_interrupt) {
        throw Interrupted("stopped by the user; the run was not recorded");
      }
      tell_user();
      seen_.timeout_s = waits_for_first_step() ? first_step_timeout_of(spec_, options_.loading_s)
                                               : timeout_of(spec_);
      if (!seen_.timed_out && clock_.now_s() - begin_s_ > seen_.timeout_s) {
        seen_.timed_out = true;
        worker_.kill_now();
      }
    }
    seen_.wait_status = worker_.wait();
    remove_output();
  }

  void finish(std::optional<CoreSpeed> core_speed, Record& record) {
    seen_.core_speed = core_speed;
    seen_.last_words = worker_.last_words();
    if (waits_for_first_step()) {
      seen_.awaited = spec_.command.steps;
    }
    seen_.usage = throttle_.usage();
    seen_.peak_rss_bytes = sampler_.peak_rss_bytes();
    seen_.peak_anonymous_bytes = sampler_.peak_anonymous_bytes();
    seen_.not_imposed = throttle_.not_imposed();
    seen_.token_bucket_bytes_per_s = throttle_.loader_read_bytes_per_s();
    if (!spec_.command.empty() && seen_.token_bucket_bytes_per_s > 0) {
      seen_.not_imposed.emplace_back("disk read");  // only our own loader holds itself back
      seen_.token_bucket_bytes_per_s = 0;
    }
    if (measuring_) {
      // Periods of loading and warm-up say nothing about the measured window.
      seen_.usage.periods -= std::min(measuring_->usage.periods, seen_.usage.periods);
      seen_.usage.throttled_periods -=
          std::min(measuring_->usage.throttled_periods, seen_.usage.throttled_periods);
    }
    fill_measurements(report_, seen_, record);
    record.timeline = sampler_.take_timeline();
    judge(report_, seen_, record);
  }

 private:
  struct Mark {
    double time_s = 0;
    SystemCpu system;
    Usage usage;
    std::size_t windows = 0;
    Pressure pressure;
  };

  // A worker is ready when the user's program has made a step.
  [[nodiscard]] bool waits_for_first_step() const {
    return !spec_.command.empty() && !report_.info;
  }

  // What the user should hear before the run ends; each once.
  void tell_user() {
    const double end_s = first_step_timeout_of(spec_, options_.loading_s);
    const double patience_s = std::min(options_.unseen_steps_note_s, end_s / 2);
    const bool late = waits_for_first_step() && clock_.now_s() - begin_s_ > patience_s;
    if (late && !told_of_steps_) {
      told_of_steps_ = true;
      say(fmt::format("no step seen in {:g} s: {}; the run ends at {:.0f} s without one",
                      patience_s,
                      unseen_steps(spec_.command.steps, worker_.last_words()),
                      end_s));
    }
    if (InterruptScope::count() > 0 && !told_of_stop_) {
      told_of_stop_ = true;
      say("stopping after this run; Ctrl-C again stops now");
    }
  }

  void say(const std::string& sentence) const {
    if (options_.note) {
      options_.note(sentence);
    }
  }

  void take(const std::string& line) {
    const auto before = report_.windows.size();
    report_.add(line);
    if (options_.window && report_.windows.size() > before) {
      options_.window(report_.windows.back());
    }
    const bool window_ended = report_.windows.size() > before;
    if (window_ended && !measuring_) {
      measuring_ = {clock_.now_s(),
                    read_system_cpu(),
                    throttle_.usage(),
                    report_.windows.size(),
                    read_pressure()};
    } else if (window_ended && report_.windows.back().warmup) {
      const auto usage = throttle_.usage();
      measuring_->usage.periods = usage.periods;
      measuring_->usage.throttled_periods = usage.throttled_periods;
    } else if (measuring_ && report_.done) {
      compare_surroundings();
    }
  }

  // What others did while this run was measured.
  void compare_surroundings() {
    const double wall_s = clock_.now_s() - measuring_->time_s;
    double ours_s = 0;
    for (auto i = measuring_->windows; i < report_.windows.size(); ++i) {
      ours_s += report_.windows[i].cpu_s;
    }
    compare_system(measuring_->system, read_system_cpu(), ours_s, wall_s, seen_);
    seen_.machine_pressure = pressure_shares(measuring_->pressure, read_pressure(), wall_s);
    seen_.group_pressure =
        pressure_shares(measuring_->usage.pressure, throttle_.usage().pressure, wall_s);
  }

  // A worker that was killed could not remove what it had preprocessed.
  void remove_output() const {
    if (spec_.workload.phase == Phase::preprocess) {
      const auto folder = std::filesystem::absolute(spec_.workload.data_path).parent_path();
      std::error_code ignored;
      std::filesystem::remove_all(folder / fmt::format("rightsize.{}.out", worker_.pid()), ignored);
    }
  }

  const RunSpec& spec_;
  const RunOptions& options_;
  const Throttle& throttle_;
  SteadyClock clock_;
  WorkerProcess worker_;
  std::unique_ptr<GpuWatch> gpu_;
  UsageSampler sampler_;
  WorkerReport report_;
  Surroundings seen_;
  std::optional<Mark> measuring_;
  double begin_s_ = 0;
  bool told_of_steps_ = false;
  bool told_of_stop_ = false;
};

// What killed runs have left behind.
void sweep_up(Record& record) {
  remove_stale_groups();
  if (const int left = kill_left_programs(); left > 0) {
    record.throttle_notes.push_back(
        fmt::format("{} process{} of a program whose run was killed {} ended before this run",
                    left,
                    left == 1 ? "" : "es",
                    left == 1 ? "was" : "were"));
  }
}

}  // namespace

Record run_one(const RunSpec& spec, const RunOptions& options) {
  const InterruptScope interrupts;
  auto record = blank_record(spec, options);
  try {
    sweep_up(record);
    const auto not_cached = prepare_page_cache(spec, options.drop_cache, record);
    // A program that names no data reads and writes where it is started, as far as we know.
    const bool here = !spec.command.empty() && spec.workload.data_path.empty();
    const auto throttle = make_throttle(
        spec.limits,
        {here ? "." : spec.workload.data_path, options.privileged && !spec.no_throttle, "/"});
    record.throttle = is_limited(spec.limits) ? throttle->kind() : "none";
    for (auto& note : throttle->notes()) {
      if (spec.command.empty() || note != loader_note) {
        record.throttle_notes.push_back(std::move(note));
      }
    }
    auto throttled = spec;
    throttled.read_bytes_per_s = throttle->loader_read_bytes_per_s();
    CoreSpeed speed;
    speed.usual_per_s = options.usual_core_speed;
    speed.before_per_s = probe_core_speed();
    const auto lease = spec.command.empty() ? nullptr : std::make_unique<ProgramLease>(getpid());
    Supervision supervision(throttled, options, *throttle);
    supervision.watch();
    speed.after_per_s = probe_core_speed();
    supervision.finish(speed, record);
    if (record.status == Status::measured && !not_cached.empty()) {
      record.status = Status::untrusted;
      record.reason = not_cached;
    }
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    record.status = Status::failed;
    record.reason = error.what();
  }
  return record;
}

}  // namespace rightsize
