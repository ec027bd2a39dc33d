// Runs as people read them: one line while they go on, one row when they are done.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisor/report/table.h"
#include "profiler/measure/run_spec.h"
#include "profiler/record.h"

namespace rightsize::report {

// "resnet50 train cpu, batch 16, synthetic, 1 cpu"
[[nodiscard]] std::string run_label(const RunSpec& spec);

// The label with its result: "412 img/s +- 1.2%", or the status and its reason.
[[nodiscard]] std::string run_sentence(const Record& record);

// Of the record: the limits that were imposed, a dash where nobody knows; the work, or the command
// that was run instead.
[[nodiscard]] std::string limits_text(const Record& record);
[[nodiscard]] std::string work_text(const Record& record);
[[nodiscard]] std::string short_work_text(const Record& record);  // of at most 72 bytes

// "412 +- 9 img/s"; "412 (one window) img/s" where there is no spread to see; a dash where there is
// no throughput.
[[nodiscard]] std::string rate_text(const Record& record);

// What the record's throughput counts: rate_unit() of our work; of a program what its steps count,
// as in "MB/s".
[[nodiscard]] std::string throughput_unit(const Record& record);

// What a step's items are: "img/s", "sequences/s" or "tokens/s".
[[nodiscard]] std::string_view rate_unit(const Workload& work);

[[nodiscard]] Table run_table(const std::vector<Record>& records);

}  // namespace rightsize::report
