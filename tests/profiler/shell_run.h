// Programs of a shell as the work of a run.
#pragma once

#include <string>

#include <doctest/doctest.h>

#include "profiler/measure/runner.h"

namespace rightsize::test {

// Of the probe, with the real work and the real limits.
inline RunOptions real_options() {
  RunOptions options;
  options.executable = RIGHTSIZE_PROBE;
  options.arguments = {"real"};
  return options;
}

// A run of two seconds at the most whose steps are told by `steps`, as --steps has it.
inline RunSpec shell_spec(const std::string& script, const std::string& steps) {
  RunSpec spec;
  spec.name = "command";
  spec.command.words = {"sh", "-c", script};
  spec.command.steps = *parse_step_rule(steps);
  spec.workload.network = "sh";
  spec.workload.batch = 1;
  spec.stop.window_s = 0.2;
  spec.stop.max_warmup_s = 0.4;
  spec.stop.min_s = 0.6;
  spec.stop.max_s = 2;
  spec.stop.noise_limit = 0.5;
  return spec;
}

inline bool has_rate(const Record& record) {
  CAPTURE(record.reason);
  return record.throughput.median > 0 &&
         (record.status == Status::measured || record.status == Status::untrusted);
}

// Fifty steps a second as well as a shell can keep time.
inline const std::string ticking = "i=0; while :; do i=$((i+1)); sleep 0.02; ";

}  // namespace rightsize::test
