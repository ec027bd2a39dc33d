// The tables of a report that show measured runs.
#include <algorithm>

#include <fmt/format.h>

#include "advisor/report/charts.h"
#include "advisor/report/evidence_charts.h"
#include "advisor/report/report_tables.h"
#include "advisor/report/units.h"
#include "models/setting.h"

namespace rightsize::report {

Table sweep_table(const std::vector<Record>& records) {
  Table table({{"format"},
               {"run"},
               {"vCPUs", Align::right},
               {"items/s", Align::right},
               {"95% interval", Align::right}});
  for (const auto& sweep : cpu_sweeps(records)) {
    for (const auto& run : sweep.runs) {
      table.add({sweep.name,
                 run.name + (run.hold_out ? " (held out)" : ""),
                 axis_number(setting_of(run).cpus),
                 digits(run.throughput.median),
                 fmt::format("{} … {}", digits(run.throughput.low), digits(run.throughput.high))});
    }
  }
  return table;
}

Table timeline_table(const std::vector<const Record*>& runs) {
  Table table({{"run"},
               {"samples", Align::right},
               {"mean cores", Align::right},
               {"peak resident", Align::right},
               {"peak page cache", Align::right},
               {"peak disk reads", Align::right}});
  for (const auto* run : runs) {
    TimelinePoint peak;
    double cores = 0;
    for (const auto& sample : run->timeline) {
      cores += sample.cpu_cores / static_cast<double>(run->timeline.size());
      peak.rss_bytes = std::max(peak.rss_bytes, sample.rss_bytes);
      peak.cache_bytes = std::max(peak.cache_bytes, sample.cache_bytes);
      peak.disk_read_bytes_per_s =
          std::max(peak.disk_read_bytes_per_s, sample.disk_read_bytes_per_s);
    }
    table.add({run->name,
               count(run->timeline.size()),
               digits(cores),
               bytes(static_cast<double>(peak.rss_bytes)),
               bytes(static_cast<double>(peak.cache_bytes)),
               bytes_per_s(peak.disk_read_bytes_per_s)});
  }
  return table;
}

}  // namespace rightsize::report
