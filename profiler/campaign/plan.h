// A campaign file and the list of runs it stands for.
//
//   name = "demo"
//   [defaults]                      # any field below; each [[run]] may override it
//   network = "resnet50"
//   data = "recordio"
//   data_path = "train.rec"         # relative to the data root, or to this file's folder
//   seconds = 8
//   [[run]]
//   name = "memory"
//   axes = {cpus = "1:2:x2", memory = ["256MiB", "512MiB"]}   # every combination
//   hold_out = [{cpus = 2, memory = "512MiB"}]                # or true for the whole run
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "profiler/measure/run_spec.h"

namespace rightsize {

// "file:line:column: key = value: expected X, saw Y", or the file that is missing.
class PlanError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The path of a plan that the options of `rightsize profile` make.
inline constexpr std::string_view command_line = "command line";

struct DatasetIdentity {
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
};
// Opens the dataset; zeros when it is not there (yet): its run will say so.
[[nodiscard]] DatasetIdentity identify_dataset(DataFormat format, const std::string& path);

struct PlanOptions {
  std::string data_root;  // empty: the folder of the campaign file
  std::function<DatasetIdentity(DataFormat, const std::string&)> identify = identify_dataset;
  // The network that people call so, by the name it is built in by; empty: as it is written.
  std::function<std::string(std::string_view said)> network_meant;
  // Throws when a network is not known, so that a typing mistake ends before the first run; empty:
  // the worker finds out.
  std::function<void(const Workload& work)> check_network;
  bool no_throttle = false;            // no control groups: all runs are made, and named, so
  std::vector<std::string> sections;   // only the [[run]]s of these names; empty: all
  std::vector<std::string> overrides;  // "key=value" (override.h): over defaults, runs and axes
};

struct Plan {
  std::string name;
  std::string path;
  std::vector<RunSpec> runs;   // in the order of execution: repeats are interleaved
  std::size_t duplicates = 0;  // cells left out because an earlier one asks for the same
};

// Throws PlanError.
[[nodiscard]] Plan load_plan(const std::string& path, const PlanOptions& options = {});
[[nodiscard]] Plan parse_plan(const std::string& text,
                              const std::string& path,
                              const PlanOptions& options = {});

}  // namespace rightsize
