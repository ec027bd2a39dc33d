#include "profiler/measure/drive.h"

#include <algorithm>
#include <cmath>

namespace rightsize {
namespace {

// Everything that only grows, read at the edges of a window.
struct Edge {
  double time_s = 0;
  LoaderTotals totals;
  ProcessCounters process;
};

// A process that its parent waits for between two looks is counted by neither.
ProcessCounters no_less(const ProcessCounters& now, const ProcessCounters& before) {
  return {std::max(now.cpu_s, before.cpu_s),
          std::max(now.disk_read_bytes, before.disk_read_bytes),
          std::max(now.disk_written_bytes, before.disk_written_bytes)};
}

// Collects one window after the other.
class Windows {
 public:
  Windows(Task& task, Clock& clock, const std::function<ProcessCounters()>& counters)
      : task_(task), clock_(clock), counters_(counters), start_(edge()) {}

  void add(const TaskStep& step, double step_s) {
    window_.items += step.items;
    if (step.answered) {
      add(*step.answered);
    } else if (step.steps > 0) {
      window_.step_s.push_back((untold_s_ + step_s) / static_cast<double>(step.steps));
      untold_s_ = 0;
    } else {
      untold_s_ += step_s;  // a program told its loss alone: the step is still under way
    }
    window_.stages.wait += step.wait_s;
    window_.stages.copy += step.result.copy_s;
    window_.stages.compute += step.result.compute_s;
    window_.stages.exchange += step.result.exchange_s;
    // A diverged loss is no number; on a synthetic batch with random labels that may happen.
    // Whoever answers requests has no labels to be wrong about.
    if (!step.answered && step.result.loss && std::isfinite(*step.result.loss)) {
      window_.last_loss = step.result.loss;
      if (!window_.first_loss) {
        window_.first_loss = step.result.loss;
      }
    }
    epochs_ += step.last_of_epoch ? 1 : 0;
  }

  [[nodiscard]] double age_s() const { return clock_.now_s() - start_.time_s; }
  [[nodiscard]] int epochs() const { return epochs_; }
  [[nodiscard]] bool empty() const { return window_.items == 0; }

  RunWindow close() {
    auto end = edge();
    end.process = no_less(end.process, start_.process);
    window_.seconds = end.time_s - start_.time_s;
    window_.cpu_s = end.process.cpu_s - start_.process.cpu_s;
    window_.disk_read_bytes = end.process.disk_read_bytes - start_.process.disk_read_bytes;
    window_.disk_written_bytes = end.process.disk_written_bytes - start_.process.disk_written_bytes;
    window_.bytes_requested = end.totals.bytes_read - start_.totals.bytes_read;
    window_.stages.read = end.totals.read_s - start_.totals.read_s;
    window_.stages.decode = end.totals.decode_s - start_.totals.decode_s;
    window_.stages.augment = end.totals.augment_s - start_.totals.augment_s;
    window_.stages.write = task_.writes() ? end.totals.blocked_s - start_.totals.blocked_s : 0;
    window_.epochs_done = epochs_;
    start_ = end;
    RunWindow done = std::move(window_);
    window_ = RunWindow{};
    window_.epoch = epochs_;
    return done;
  }

 private:
  // A server's step is the time its engine worked; before it, it waited for callers.
  void add(const AnsweredRequests& answered) {
    window_.step_s.push_back(answered.busy_s);
    window_.busy_s += answered.busy_s;
    window_.come += answered.come - come_;
    window_.waiting = answered.waiting;
    window_.latency_s.insert(
        window_.latency_s.end(), answered.latency_s.begin(), answered.latency_s.end());
    come_ = answered.come;
  }

  [[nodiscard]] Edge edge() const { return {clock_.now_s(), task_.totals(), counters_()}; }

  Task& task_;
  Clock& clock_;
  const std::function<ProcessCounters()>& counters_;
  Edge start_;
  RunWindow window_;
  double untold_s_ = 0;
  int epochs_ = 0;
  std::uint64_t come_ = 0;
};

// One run: steps until the rule is content or there is nothing more to do.
class Drive {
 public:
  Drive(Task& task,
        const StopOptions& options,
        Clock& clock,
        const std::function<void(const RunWindow&)>& report,
        const std::function<ProcessCounters()>& counters)
      : task_(task),
        options_(options),
        clock_(clock),
        report_(report),
        rule_(options),
        windows_(task, clock, counters),
        has_epochs_(task.info().dataset_items > 0),
        begin_s_(clock.now_s()) {}

  DriveResult run() {
    auto verdict = StopVerdict::go_on;
    while (verdict == StopVerdict::go_on) {
      verdict = advance();
    }
    result_.noisy = verdict == StopVerdict::noisy;
    if (result_.noisy) {
      result_.reason = work_ended_ ? rule_.reason_at_end() : rule_.reason();
    }
    result_.warmup_s = rule_.warmup_s();
    return std::move(result_);
  }

 private:
  StopVerdict advance() {
    const double step_begin_s = clock_.now_s();
    const auto step = task_.step();
    const double now_s = clock_.now_s();
    if (step.work_ended) {
      if (options_.whole_time && !windows_.empty()) {
        add_window();
      }
      return end_of_work();
    }
    windows_.add(step, now_s - step_begin_s);
    items_ += step.items;
    const bool first_epoch_over = step.last_of_epoch && windows_.epochs() == 1;
    if (first_epoch_over) {
      result_.cold_items_per_s = static_cast<double>(items_) / (now_s - begin_s_);
      by_epochs_ = now_s - begin_s_ <= epoch_share * options_.max_s;
    }
    // The end of the first epoch also ends a window: what follows may come from the page cache.
    const bool may_end = !by_epochs_ || step.last_of_epoch;
    if (!first_epoch_over && (windows_.age_s() < options_.window_s || !may_end)) {
      return StopVerdict::go_on;
    }
    add_window();
    if (first_epoch_over && options_.max_epochs != 1) {
      rule_.restart();
    }
    const auto verdict = rule_.verdict(windows_.epochs(), has_epochs_);
    const bool all_epochs = options_.max_epochs > 0 && windows_.epochs() >= options_.max_epochs;
    return verdict == StopVerdict::go_on && all_epochs ? end_of_work() : verdict;
  }

  void add_window() {
    auto window = windows_.close();
    window.warmup = rule_.add(static_cast<double>(window.items) / window.seconds, window.seconds);
    report_(window);
  }

  StopVerdict end_of_work() {
    work_ended_ = true;
    return rule_.verdict_at_end();
  }

  // A page cache that holds a part of a shuffled dataset serves it in waves: the items read last
  // are still there when an epoch begins. Only whole epochs have a rate that means something, so
  // windows follow them where several fit into the budget.
  static constexpr double epoch_share = 0.25;

  Task& task_;
  const StopOptions& options_;
  Clock& clock_;
  const std::function<void(const RunWindow&)>& report_;
  StoppingRule rule_;
  Windows windows_;
  DriveResult result_;
  bool has_epochs_;
  double begin_s_;
  std::uint64_t items_ = 0;
  bool by_epochs_ = false;
  bool work_ended_ = false;
};

}  // namespace

DriveResult drive(Task& task,
                  const StopOptions& options,
                  Clock& clock,
                  const std::function<void(const RunWindow&)>& report,
                  const std::function<ProcessCounters()>& counters) {
  return Drive(task, options, clock, report, counters).run();
}

}  // namespace rightsize
