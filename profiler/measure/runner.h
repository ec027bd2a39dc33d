// Runs one RunSpec in a fresh process under its limits and says what came of it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "profiler/measure/interrupt.h"
#include "profiler/measure/run_spec.h"
#include "profiler/measure/window.h"
#include "profiler/measure/worker_process.h"
#include "profiler/record.h"

namespace rightsize {

struct RunOptions {
  // The program with the hidden worker command: this one, unless a test says otherwise.
  std::string executable = "/proc/self/exe";
  std::vector<std::string> arguments = {"worker"};
  bool privileged = true;  // false: no control groups even where they work
  bool drop_cache = true;  // start with the dataset out of the page cache
  double sample_period_s = 0.1;
  // How long a program may show no step before the user hears of it, at most half of
  // first_step_timeout_of(): loading and compiling take their time.
  double unseen_steps_note_s = 10;
  double loading_s = 30;      // on one CPU, that a program is given on top of its time to measure
  int stop_at_interrupt = 1;  // the Ctrl-C that kills a run; campaigns say 2
  std::optional<Machine> machine;                // described anew when not given
  std::optional<double> usual_core_speed;        // measure/core_speed.h; unknown: no verdict on it
  std::function<void(const std::string&)> note;  // a sentence for the user during the run
  std::function<void(const RunWindow&)> window;  // what was just measured, while the run goes on
};

// Always returns a record: a failure is a status with a reason. Throws Interrupted when the user
// stopped it, after the worker and its groups are gone.
[[nodiscard]] Record run_one(const RunSpec& spec, const RunOptions& options = {});

}  // namespace rightsize
