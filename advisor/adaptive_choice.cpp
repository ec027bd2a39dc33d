#include "advisor/adaptive_choice.h"

#include "profiler/machine.h"

namespace rightsize {
namespace {

// The run as a record of which nothing was measured yet.
PossibleRun possible(const RunSpec& spec, const Machine& machine) {
  Record asked;
  asked.workload = spec.workload;
  asked.limits = spec.limits;
  asked.machine = machine;
  asked.dataset_items = spec.dataset_items;
  asked.dataset_bytes = spec.dataset_bytes;
  asked.loader_threads = loader_threads_of(spec);
  return {setting_of(asked), spec.stop.max_s, false};
}

std::vector<PossibleRun> possible_runs(const std::vector<RunSpec>& specs) {
  const auto machine = describe_this_machine();
  std::vector<PossibleRun> runs;
  for (const auto& spec : specs) {
    runs.push_back(possible(spec, machine));
  }
  return runs;
}

}  // namespace

AdaptiveChoice::AdaptiveChoice(const Plan& plan, const RecordLog& log, double target)
    : runs_(plan.runs),
      log_(log),
      machine_(machine_key(describe_this_machine())),
      plan_(possible_runs(plan.runs), {.target = target}) {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    index_by_id_[run_id(runs_[i])] = i;
  }
}

std::optional<std::size_t> AdaptiveChoice::operator()(std::span<const RunSpec> pending) {
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < pending.size(); ++i) {
    place[run_id(pending[i])] = i;
  }
  std::vector<Record> records;
  for (const auto& [id, index] : index_by_id_) {
    if (!place.contains(id)) {
      plan_.mark_done(index);
      if (auto record = log_.find(id, machine_)) {
        records.push_back(std::move(*record));
      }
    }
  }
  const auto next = plan_.next(records);
  if (!next) {
    return std::nullopt;
  }
  const auto found = place.find(run_id(runs_[*next]));
  return found == place.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace rightsize
