// Where a job's time goes, by leaving things out: the same setting with data that is made up, with
// data that lies in memory, and with data that must be read from the disk. After DS-Analyzer: Mohan
// and others, "Analyzing and Mitigating Data Stalls in DNN Training", VLDB 2021, section 3.3.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profiler/measure/run_spec.h"
#include "profiler/record.h"

namespace rightsize {

// Why a run has no three parts, naming what to change; nullopt: it has. `synthetic` tells the
// user's own program to make data up: words like NAME=value are set in its environment, others are
// added to its arguments. Our own networks need no such words.
[[nodiscard]] std::optional<std::string> no_differential(const RunSpec& run,
                                                         const std::string& synthetic);

// Of a run that no_differential() has nothing against, in this order:
//   synthetic  one batch in memory, used again and again: the engine alone
//   cached     all of the data brought into the page cache before: adds preparing
//   cold       the first epoch, the data dropped from the page cache before: adds fetching
// Limits of the disk stay with the cold part: the others do not read from it.
[[nodiscard]] std::vector<RunSpec> differential_parts(const RunSpec& run,
                                                      const std::string& synthetic);
inline constexpr std::size_t differential_runs = 3;  // so many

// A share of the cold part's time for an item, with the ends that the rates' intervals allow.
struct StallShare {
  double value = 0;
  double low = 0;
  double high = 0;
};

struct Stalls {
  const Record* synthetic = nullptr;
  const Record* cached = nullptr;
  const Record* cold = nullptr;
  StallShare compute;  // what is left
  StallShare prep;     // reading from memory, decoding, augmenting
  StallShare fetch;    // reading from the disk
};

// One for each repeat of a differential all of whose parts have a throughput, in the order of the
// records, which it points into.
[[nodiscard]] std::vector<Stalls> stalls_in(std::span<const Record> records);

}  // namespace rightsize
