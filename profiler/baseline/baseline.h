// What this machine can do at best, part by part: the baseline that measurements are held against
// and that priors start from. JSON form: schema "rightsize/baseline/1".
#pragma once

#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "profiler/machine.h"
#include "profiler/record.h"

namespace rightsize {

// One figure: the median of several rounds with its interval.
struct BaselineFigure {
  std::string name;  // "fp32 avx2, 1 thread"
  std::string unit;  // "FLOP/s", "B/s", "img/s", "1/s"
  Measured value;
};

struct Baseline {
  Machine machine;
  std::string measured_at;  // RFC 3339 UTC
  std::string tool_version;
  std::string disk_device;  // that the disk's figures are of, "vda"; empty: not known
  std::vector<BaselineFigure> figures;
  std::vector<std::string> left_out;  // what could not be measured here, and why
  double neighbour_cpus = 0;          // kept busy by other processes meanwhile: figures are too low

  // nullptr when it was not measured.
  [[nodiscard]] const BaselineFigure* find(const std::string& name) const;
};

struct BaselineOptions {
  std::string folder;    // on the disk to be measured; a file is made there and removed
  double round_s = 0.3;  // of each figure's rounds
  int rounds = 5;
  std::uint64_t file_bytes = 1ULL << 30;  // for the disk; less when the disk is nearly full
};

// Half a minute to a minute. A part that cannot be measured is left out, with its reason.
[[nodiscard]] Baseline measure_baseline(const BaselineOptions& options);

[[nodiscard]] boost::json::object to_json(const Baseline& baseline);
// Throws RecordError naming the field.
[[nodiscard]] Baseline baseline_from_json(const boost::json::object& object);

}  // namespace rightsize
