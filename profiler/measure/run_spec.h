// One run to be made: the work, its limits, and when to stop. Goes to the worker as JSON.
#pragma once

#include <cstdint>
#include <string>

#include <boost/json/fwd.hpp>

#include "kernels/workload.h"
#include "profiler/command/user_command.h"
#include "profiler/limits.h"
#include "profiler/measure/stopping.h"

namespace rightsize {

struct RunSpec {
  std::string name;
  std::string campaign;
  int repeat = 0;
  bool hold_out = false;
  Workload workload;    // of a command: `network` is its short name, `batch` a step's items
  UserCommand command;  // instead of our own kernels, when it is not empty
  Limits limits;
  StopOptions stop;
  double timeout_s = 0;  // wall-clock limit; 0: three times max_s plus a minute
  std::uint64_t seed = 1;
  // Identity of the dataset, wherever it lies; 0 when synthetic or not known.
  std::uint64_t dataset_items = 0;
  std::uint64_t dataset_bytes = 0;
  std::string differential;  // of a part: the id that all three share (campaign/differential.h)
  std::string again;         // and the line that makes all three, in repro_line()'s place
  std::string part;          // "synthetic", "cached" or "cold"; empty: a run of its own
  bool no_throttle = false;  // no control groups even where they work: limits hold less
  // Set by the runner: what the throttle wants the loader to hold to.
  double read_bytes_per_s = 0;

  bool operator==(const RunSpec&) const = default;
};

// 16 hex digits (FNV-1a, 64 bit) over workload, limits and whether groups may impose them, stop
// options, dataset identity, the files that a command names, seed and repeat. Not over the machine,
// the name, or the folder the data lies in.
[[nodiscard]] std::string run_id(const RunSpec& spec);

// The command that makes this run again, with the options that are not the defaults.
[[nodiscard]] std::string repro_line(const RunSpec& spec);

// The wall-clock limit in force.
[[nodiscard]] double timeout_of(const RunSpec& spec);
// How long a program may go on without a step: as long as it is measured and `loading_s`, more
// where it has less than a CPU for that. All the time there is when a time-out was asked for, and
// where only the program's end is a step.
[[nodiscard]] double first_step_timeout_of(const RunSpec& spec, double loading_s);

// As asked for, or as many as the vCPU limit rounded up, or the CPUs of this process.
[[nodiscard]] int loader_threads_of(const RunSpec& spec);
[[nodiscard]] int engine_threads_of(const RunSpec& spec);

[[nodiscard]] boost::json::object to_json(const RunSpec& spec);
// Throws RecordError naming the field.
[[nodiscard]] RunSpec run_spec_from_json(const boost::json::object& object);

}  // namespace rightsize
