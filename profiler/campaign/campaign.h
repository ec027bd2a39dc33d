// Front door of campaigns: load a plan (plan.h), run it into a store, resume it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "profiler/campaign/estimate.h"
#include "profiler/campaign/plan.h"
#include "profiler/measure/runner.h"
#include "profiler/store/record_log.h"

namespace rightsize {

struct CampaignOptions {
  RunOptions run;
  bool fresh = false;         // measure again what the log already has
  bool retry_failed = false;  // measure again what failed, timed out or is untrusted
  bool fail_fast = false;     // stop at the first run without a throughput
  bool any_machine = false;   // a run that another machine made is made (shards of a cluster)
  bool keep_marks = false;    // no mark_held_out(): for plans that cannot say what is held out
  double budget_s = 0;        // start no run whose upper bound would pass it; 0: no budget
  // Which of the runs still to be made comes next; nullopt: no more are needed. Empty: in order.
  std::function<std::optional<std::size_t>(std::span<const RunSpec> pending)> choose;
  // How a run is made: for real, unless a test says otherwise.
  std::function<Record(const RunSpec&, const RunOptions&)> make = run_one;
};

struct CampaignProgress {
  std::size_t index = 0;  // of this run among those to be made, from 0
  std::size_t total = 0;
  double eta_s = 0;  // for what is left, from the runs so far
};

struct CampaignCallbacks {
  std::function<void(const CampaignProgress&, const RunSpec&)> started;
  std::function<void(const CampaignProgress&, const Record&)> finished;
};

struct CampaignSummary {
  std::size_t planned = 0;
  std::size_t skipped = 0;  // already in the log
  std::size_t marked = 0;   // of what the log had, held out now or no longer
  std::size_t run = 0;
  std::map<Status, std::size_t> by_status;  // of the runs made now
  std::size_t left = 0;      // not made: interrupted, failed fast, or past the budget
  double left_s = 0;         // the upper bound of their time
  bool over_budget = false;  // some are left for lack of time
  bool interrupted = false;  // exit code 130; run again to go on
  double seconds = 0;
};

// The runs of `plan` that are still to be made; for --dry-run, with estimated_s().
[[nodiscard]] std::vector<RunSpec> pending_runs(const Plan& plan,
                                                const RecordLog& log,
                                                const CampaignOptions& options = {});

// Marks what the log has of the plan as held out where the plan says so, and as not where it does
// not: that is no part of a run's id, so that it may be said after measuring. How many it changed.
// Throws StoreError.
std::size_t mark_held_out(const Plan& plan, RecordLog& log);

// Makes them, appending each record to the log before the next one starts. The first Ctrl-C or
// SIGTERM lets the run in progress finish, the second kills it. Throws StoreError.
CampaignSummary run_campaign(const Plan& plan,
                             RecordLog& log,
                             const CampaignOptions& options = {},
                             const CampaignCallbacks& callbacks = {});

}  // namespace rightsize
