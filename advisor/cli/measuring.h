// What profile and campaign share: run a plan into the store with one live line, then the table.
#pragma once

#include <string>
#include <vector>

#include "advisor/cli/command.h"
#include "profiler/campaign/campaign.h"

namespace rightsize::cli {

void add_measuring_options(Options& options);

// What the options of add_measuring_options() say.
[[nodiscard]] CampaignOptions campaign_options(const Values& values);

// For PlanOptions::check_network. Throws UnknownNetwork, with the nearest name.
void refuse_unknown_network(const Workload& work);

struct Measurement {
  Plan plan;
  CampaignOptions options;
  double adaptive_target = 0;  // of the answer's uncertainty; 0: all runs, in order
  std::string again;  // the command as typed, to suggest what to type next; empty: no suggestion
  bool only_retry = false;  // suggest a second try where it may help, and nothing else
};

// A profile asks for what it says: throws UsageError when this machine has less than a run's
// limits.
void refuse_excess(const Plan& plan);

// A campaign may be written for a larger machine: its runs that ask for more than this one has are
// left out, and said to be. Throws UsageError when none is left.
void leave_out_excess(Context& context, Plan& plan);

// Returns the exit code: 130 interrupted, 4 with --strict and something untrusted, 1 when no run
// gave a throughput.
int measure(Context& context, const Values& values, const Measurement& wanted);

// What the log has of the plan, emitted in the form of -o.
std::vector<Record> emit_records(Context& context,
                                 const Values& values,
                                 const Plan& plan,
                                 const RecordLog& log);

// What to type next, for who typed `again` and got `records`; nothing with --progress jsonl.
void suggest(Context& context,
             const Values& values,
             const std::vector<Record>& records,
             const std::string& again,
             bool only_retry = false);

[[nodiscard]] int exit_code_for(const Values& values, const std::vector<Record>& records);

}  // namespace rightsize::cli
