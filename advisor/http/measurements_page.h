// Runs as a page shows them; what came from outside is escaped here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/store/recent_runs.h"

namespace rightsize::http {

struct RunsShown {
  std::string store;
  bool has_store = false;
  std::int64_t newest = 0;  // the sequence of the last run of all
  std::vector<RunCount> counts;
  std::vector<RecentRun> runs{};  // the newest first
  std::string campaign{};         // whose runs alone are shown; empty: all
  std::size_t most = 0;           // at a time
  bool latest = true;             // the runs begin with the newest: others may come in front
  std::string older{};            // where the next ones are; empty: there are none
};

[[nodiscard]] std::string measurements_page(const RunsShown& shown);

// One run's sheet, `id` for the same in other forms.
[[nodiscard]] std::string run_page(const std::string& name,
                                   const std::string& sheet,
                                   const std::string& id);

// <tr>...</tr> of the page's table, on one line.
[[nodiscard]] std::string run_row(const Record& record);

// "12 runs: 10 measured, 1 untrusted, 1 failed", of all or of one campaign.
[[nodiscard]] std::string counts_text(const std::vector<RunCount>& counts,
                                      const std::string& campaign);

// Those of each campaign, as HTML that leads to the runs of each; "" where there is but one.
[[nodiscard]] std::string counts_table(const std::vector<RunCount>& counts,
                                       const std::string& campaign);

// That there are no runs yet, and how they come about.
[[nodiscard]] std::string nothing_measured(const RunsShown& shown);

}  // namespace rightsize::http
