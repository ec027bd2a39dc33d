// The charts of the evidence: what was measured, and how well the model says it.
#pragma once

#include <string>
#include <vector>

#include "advisor/report/chart.h"
#include "advisor/report/report_data.h"

namespace rightsize::report {

// Runs that differ in nothing but their CPUs, by data format: the measured half of the throughput
// chart, and the rows of its table.
struct CpuSweep {
  std::string name;  // "recordio"
  std::vector<Record> runs;
};
[[nodiscard]] std::vector<CpuSweep> cpu_sweeps(const std::vector<Record>& records);

// Throughput against vCPUs: measured points with their intervals, the fitted line with its band,
// dashed where nothing was measured; ticks at the vCPU counts that the options are sold with.
[[nodiscard]] XyChart throughput_chart(const ReportData& data);

// Predicted against measured throughput with the band of +-10 %; runs the fit has not seen stand
// out.
[[nodiscard]] XyChart validation_chart(const ReportData& data);

// CPU cores, memory with page cache, and disk reads over time: three small charts per run.
struct RunTimeline {
  const Record* run = nullptr;
  std::vector<XyChart> charts;
};
// Of a few runs that differ the most in what they used. Borrows the records.
[[nodiscard]] std::vector<RunTimeline> timelines(const std::vector<Record>& records,
                                                 std::size_t limit);

}  // namespace rightsize::report
