#include "profiler/measure/drive.h"

#include <cmath>

namespace rightsize {
namespace {

// Everything that only grows, read at the edges of a window.
struct Edge {
  double time_s = 0;
  LoaderTotals totals;
  ProcessCounters process;
};

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
      window_.step_s.push_back(step_s / static_cast<double>(step.steps));
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
    const auto end = edge();
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
  int epochs_ = 0;
  std::uint64_t come_ = 0;
};

}  // namespace

DriveResult drive(Task& task,
                  const StopOptions& options,
                  Clock& clock,
                  const std::function<void(const RunWindow&)>& report,
                  const std::function<ProcessCounters()>& counters) {
  const bool has_epochs = task.info().dataset_items > 0;
  StoppingRule rule(options);
  Windows windows(task, clock, counters);
  DriveResult result;
  const double begin_s = clock.now_s();
  std::uint64_t items = 0;
  // A page cache that holds a part of a shuffled dataset serves it in waves: the items read last
  // are still there when an epoch begins. Only whole epochs have a rate that means something, so
  // windows follow them where several fit into the budget.
  constexpr double epoch_share = 0.25;
  bool by_epochs = false;
  bool work_ended = false;
  const auto add_window = [&] {
    auto window = windows.close();
    window.warmup = rule.add(static_cast<double>(window.items) / window.seconds, window.seconds);
    report(window);
  };
  auto verdict = StopVerdict::go_on;
  while (verdict == StopVerdict::go_on) {
    const double step_begin_s = clock.now_s();
    const auto step = task.step();
    const double now_s = clock.now_s();
    if (step.work_ended) {
      if (options.whole_time && !windows.empty()) {
        add_window();
      }
      verdict = rule.verdict_at_end();
      work_ended = true;
      break;
    }
    windows.add(step, now_s - step_begin_s);
    items += step.items;
    const bool first_epoch_over = step.last_of_epoch && windows.epochs() == 1;
    if (first_epoch_over) {
      result.cold_items_per_s = static_cast<double>(items) / (now_s - begin_s);
      by_epochs = now_s - begin_s <= epoch_share * options.max_s;
    }
    // The end of the first epoch also ends a window: what follows may come from the page cache.
    const bool may_end = !by_epochs || step.last_of_epoch;
    if (!first_epoch_over && (windows.age_s() < options.window_s || !may_end)) {
      continue;
    }
    add_window();
    if (first_epoch_over && options.max_epochs != 1) {
      rule.restart();
    }
    verdict = rule.verdict(windows.epochs(), has_epochs);
    const bool all_epochs = options.max_epochs > 0 && windows.epochs() >= options.max_epochs;
    if (verdict == StopVerdict::go_on && all_epochs) {
      verdict = rule.verdict_at_end();
      work_ended = true;
    }
  }
  result.noisy = verdict == StopVerdict::noisy;
  if (result.noisy) {
    result.reason = work_ended ? rule.reason_at_end() : rule.reason();
  }
  result.warmup_s = rule.warmup_s();
  return result;
}

}  // namespace rightsize
