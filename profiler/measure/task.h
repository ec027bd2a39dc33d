// The work of one run as the measuring loop sees it: one step after the other, with counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/data/loader.h"
#include "kernels/engine.h"
#include "profiler/measure/process_counters.h"
#include "profiler/measure/run_spec.h"

namespace rightsize {

// What the work turned out to be, once everything is loaded.
struct TaskInfo {
  std::uint64_t dataset_items = 0;  // 0: no dataset, no epochs
  std::uint64_t dataset_bytes = 0;
  int loader_threads = 0;
  int engine_threads = 0;
  std::uint64_t engine_memory_bytes = 0;
  std::map<std::string, std::string> software;
};

// What a server's step tells of its callers.
struct AnsweredRequests {
  std::vector<double> latency_s;  // one each, from the instant it was to come
  std::uint64_t come = 0;         // all in all since the start, when the step ended
  std::uint64_t waiting = 0;      // then
  double busy_s = 0;              // of the step, in which the engine worked
};

struct TaskStep {
  std::size_t steps = 1;  // a program that reports now and then has made several
  std::size_t items = 0;
  double wait_s = 0;  // for data
  StepResult result;
  bool last_of_epoch = false;
  bool work_ended = false;  // nothing was done, and nothing will be
  std::optional<AnsweredRequests> answered;
};

class Task {
 public:
  Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  virtual ~Task() = default;

  [[nodiscard]] virtual TaskInfo info() const = 0;
  virtual TaskStep step() = 0;
  [[nodiscard]] virtual LoaderTotals totals() const { return {}; }
  // Preprocessing counts the time to write as `blocked_s` of its totals.
  [[nodiscard]] virtual bool writes() const { return false; }
  // What a reader of the numbers should know, once the work is done.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
  // Of whatever processes do the work.
  [[nodiscard]] virtual ProcessCounters counters() const { return read_process_counters(); }
};

using TaskFactory = std::function<std::unique_ptr<Task>(const RunSpec&)>;

// Training and inference on a synthetic batch or a dataset, preprocessing, or the user's own
// command. Throws EngineError, DataError, UnknownNetwork, std::runtime_error.
[[nodiscard]] std::unique_ptr<Task> make_task(const RunSpec& spec);

// Why a run would end before its first step, as far as that shows without building anything: its
// data do not lie there, its network does not read them, its engine does not run it. "" where
// nothing shows, and of the user's own command.
[[nodiscard]] std::string why_not_runnable(const RunSpec& spec);

}  // namespace rightsize
