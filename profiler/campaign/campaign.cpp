#include "profiler/campaign/campaign.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "profiler/measure/clock.h"

namespace rightsize {
namespace {

// Running out of memory or being unsupported is an answer; it would come out the same again.
bool is_settled(Status status) {
  return status == Status::measured || status == Status::out_of_memory ||
         status == Status::unsupported;
}

bool has_throughput(Status status) {
  return status == Status::measured || status == Status::untrusted;
}

bool is_pending(const RunSpec& spec,
                const Store& store,
                const CampaignOptions& options,
                const std::string& this_machine) {
  if (options.fresh) {
    return true;
  }
  const auto record = store.find(run_id(spec));
  // A run that another machine made (an import) says nothing of this one.
  return !record || machine_key(record->machine) != this_machine ||
         (options.retry_failed && !is_settled(record->status));
}

// Time left by the budget of the runs, corrected by how long past ones took against theirs.
double eta_s(std::span<const RunSpec> runs, std::size_t next, double spent_s) {
  const std::vector<RunSpec> done(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(next));
  const std::vector<RunSpec> left(runs.begin() + static_cast<std::ptrdiff_t>(next), runs.end());
  const double factor = next == 0 ? 1 : spent_s / estimated_s(done);
  return factor * estimated_s(left);
}

}  // namespace

std::vector<RunSpec> pending_runs(const Plan& plan,
                                  const Store& store,
                                  const CampaignOptions& options) {
  const auto this_machine =
      machine_key(options.run.machine ? *options.run.machine : describe_this_machine());
  std::vector<RunSpec> pending;
  std::copy_if(
      plan.runs.begin(), plan.runs.end(), std::back_inserter(pending), [&](const RunSpec& spec) {
        return is_pending(spec, store, options, this_machine);
      });
  return pending;
}

CampaignSummary run_campaign(const Plan& plan,
                             Store& store,
                             const CampaignOptions& options,
                             const CampaignCallbacks& callbacks) {
  const InterruptScope interrupts;
  SteadyClock clock;
  const double begin_s = clock.now_s();
  const auto runs = pending_runs(plan, store, options);
  CampaignSummary summary;
  summary.planned = plan.runs.size();
  summary.skipped = plan.runs.size() - runs.size();
  auto run_options = options.run;
  run_options.stop_at_interrupt = 2;
  if (!run_options.machine) {
    run_options.machine = describe_this_machine();
  }
  for (std::size_t i = 0; i < runs.size() && InterruptScope::count() == 0; ++i) {
    if (callbacks.started) {
      callbacks.started({i, runs.size(), eta_s(runs, i, clock.now_s() - begin_s)}, runs[i]);
    }
    Record record;
    try {
      record = run_one(runs[i], run_options);
    } catch (const Interrupted&) {
      break;
    }
    store.append(record);
    ++summary.run;
    ++summary.by_status[record.status];
    if (callbacks.finished) {
      callbacks.finished({i, runs.size(), eta_s(runs, i + 1, clock.now_s() - begin_s)}, record);
    }
    if (options.fail_fast && !has_throughput(record.status)) {
      break;
    }
  }
  summary.interrupted = InterruptScope::count() > 0;
  summary.seconds = clock.now_s() - begin_s;
  return summary;
}

}  // namespace rightsize
