#include "profiler/campaign/campaign.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "profiler/measure/clock.h"
#include "profiler/store/store.h"

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
                const RecordLog& log,
                const CampaignOptions& options,
                const std::string& this_machine) {
  if (options.fresh) {
    return true;
  }
  const auto record = log.find(run_id(spec), this_machine);
  if (!record) {
    return true;
  }
  // A run that another machine made (an import) says nothing of this one.
  const bool elsewhere = !options.any_machine && machine_key(record->machine) != this_machine;
  return elsewhere || (options.retry_failed && !is_settled(record->status));
}

// The runs of one call, one after the other.
class Execution {
 public:
  Execution(std::vector<RunSpec> runs, RecordLog& log, const CampaignOptions& options)
      : runs_(std::move(runs)), log_(log), options_(options), left_s_(estimated_s(runs_)) {
    options_.run.stop_at_interrupt = 2;
    if (!options_.run.machine) {
      options_.run.machine = describe_this_machine();
    }
  }

  void go(const CampaignCallbacks& callbacks, CampaignSummary& summary) {
    bool going = true;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      going = going && InterruptScope::count() == 0 && bring_chosen_to(i);
      if (going && made_meanwhile(runs_[i])) {
        ++summary.skipped;
        left_s_ -= estimated_s({runs_[i]});
      } else if (going && fits_budget(runs_[i])) {
        going = make(i, callbacks, summary);
      } else {
        summary.over_budget = summary.over_budget || going;  // a shorter run may fit yet
        leave(runs_[i], summary);
      }
    }
    summary.seconds = spent_s();
  }

 private:
  // False when whoever chooses has seen enough.
  bool bring_chosen_to(std::size_t i) {
    if (!options_.choose) {
      return true;
    }
    const auto choice = options_.choose(std::span(runs_).subspan(i));
    if (choice) {
      const auto first = runs_.begin() + static_cast<std::ptrdiff_t>(i);
      const auto chosen = first + static_cast<std::ptrdiff_t>(*choice);
      std::rotate(first, chosen, chosen + 1);
    }
    return choice.has_value();
  }

  [[nodiscard]] double spent_s() { return clock_.now_s() - begin_s_; }

  // Another campaign at the same log may have come first; what it made need not be made again.
  [[nodiscard]] bool made_meanwhile(const RunSpec& run) const {
    return !options_.fresh && !is_pending(run, log_, options_, machine_key(*options_.run.machine));
  }

  [[nodiscard]] bool fits_budget(const RunSpec& run) {
    return options_.budget_s <= 0 || spent_s() + estimated_s({run}) <= options_.budget_s;
  }

  // Time left by the bounds of the runs, corrected by how long past ones took against theirs.
  [[nodiscard]] double eta_s() { return done_s_ > 0 ? left_s_ * spent_s() / done_s_ : left_s_; }

  static void leave(const RunSpec& run, CampaignSummary& summary) {
    ++summary.left;
    summary.left_s += estimated_s({run});
  }

  // False when it must be the last: the user stopped it, or it failed and --fail-fast was asked
  // for.
  bool make(std::size_t i, const CampaignCallbacks& callbacks, CampaignSummary& summary) {
    if (callbacks.started) {
      callbacks.started({i, runs_.size(), eta_s()}, runs_[i]);
    }
    Record record;
    try {
      record = options_.make(runs_[i], options_.run);
    } catch (const Interrupted&) {
      leave(runs_[i], summary);
      return false;
    }
    keep(record);
    left_s_ -= estimated_s({runs_[i]});
    done_s_ += estimated_s({runs_[i]});
    ++summary.run;
    ++summary.by_status[record.status];
    if (callbacks.finished) {
      callbacks.finished({i, runs_.size(), eta_s()}, record);
    }
    return !options_.fail_fast || has_throughput(record.status);
  }

  // What was measured is not lost with a full disk: the message has the line to import.
  void keep(const Record& record) {
    try {
      log_.append(record);
    } catch (const StoreError& error) {
      throw StoreError(
          fmt::format("{}\n       The run was made. Its record, for rightsize records import:\n{}",
                      error.what(),
                      boost::json::serialize(to_json(record))));
    }
  }

  std::vector<RunSpec> runs_;
  RecordLog& log_;
  CampaignOptions options_;
  SteadyClock clock_;
  double begin_s_ = clock_.now_s();
  double left_s_ = 0;  // upper bounds: of the runs to come, and of those that are done
  double done_s_ = 0;
};

}  // namespace

std::vector<RunSpec> pending_runs(const Plan& plan,
                                  const RecordLog& log,
                                  const CampaignOptions& options) {
  const auto this_machine =
      machine_key(options.run.machine ? *options.run.machine : describe_this_machine());
  std::vector<RunSpec> pending;
  std::copy_if(
      plan.runs.begin(), plan.runs.end(), std::back_inserter(pending), [&](const RunSpec& spec) {
        return is_pending(spec, log, options, this_machine);
      });
  // What was never tried comes first, then the oldest try: who repeats a command that runs out of
  // time comes to all of them in the end.
  std::map<std::string, std::string> tried_at;
  for (const auto& spec : pending) {
    const auto record = log.find(run_id(spec), this_machine);
    tried_at[run_id(spec)] = record ? record->started_at : "";
  }
  std::stable_sort(pending.begin(), pending.end(), [&](const RunSpec& a, const RunSpec& b) {
    return tried_at.at(run_id(a)) < tried_at.at(run_id(b));
  });
  return pending;
}

std::size_t mark_held_out(const Plan& plan, RecordLog& log) {
  std::size_t marked = 0;
  for (const auto& spec : plan.runs) {
    for (auto& record : log.all_of(run_id(spec))) {
      if (record.hold_out != spec.hold_out) {
        record.hold_out = spec.hold_out;
        log.append(record);
        ++marked;
      }
    }
  }
  return marked;
}

CampaignSummary run_campaign(const Plan& plan,
                             RecordLog& log,
                             const CampaignOptions& options,
                             const CampaignCallbacks& callbacks) {
  const InterruptScope interrupts;
  auto runs = pending_runs(plan, log, options);
  CampaignSummary summary;
  summary.planned = plan.runs.size();
  summary.marked = options.keep_marks ? 0 : mark_held_out(plan, log);
  summary.skipped = plan.runs.size() - runs.size();  // and those that come to be on the way
  Execution(std::move(runs), log, options).go(callbacks, summary);
  summary.interrupted = InterruptScope::count() > 0;
  return summary;
}

}  // namespace rightsize
