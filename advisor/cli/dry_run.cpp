#include "advisor/cli/dry_run.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/candidate/network_facts.h"
#include "advisor/report/runs.h"
#include "advisor/report/units.h"
#include "profiler/campaign/estimate.h"
#include "profiler/campaign/excess.h"
#include "profiler/measure/task.h"

namespace rightsize::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

json::object bound(double value, double most, std::string_view unit) {
  return {{"value", value},
          {"low", 0},
          {"high", most},
          {"confidence", 1},
          {"unit", unit},
          {"source", "assumed"}};
}

std::string as_json(const Plan& plan, const std::vector<RunSpec>& pending) {
  json::array runs;
  for (const auto& spec : pending) {
    auto run = to_json(spec);
    run["id"] = run_id(spec);
    runs.push_back(std::move(run));
  }
  const auto disk = estimated_disk(pending);
  const auto bytes = [](std::uint64_t most) {
    return bound(static_cast<double>(most), static_cast<double>(most), "B");
  };
  const json::object document{{"schema", "rightsize/plan/1"},
                              {"campaign", plan.name},
                              {"planned", plan.runs.size()},
                              {"done", plan.runs.size() - pending.size()},
                              {"time", bound(estimated_s(pending), longest_s(pending), "s")},
                              {"disk_at_once", bytes(disk.at_once_bytes)},
                              {"disk_written", bytes(disk.written_bytes)},
                              {"store_growth", bytes(disk.store_bytes)},
                              {"runs", runs}};
  return json::serialize(document) + "\n";
}

std::string disk_line(const DiskEstimate& disk) {
  const auto size = [](std::uint64_t value) { return report::bytes(static_cast<double>(value)); };
  std::string line = fmt::format("disk: the store grows by at most {}", size(disk.store_bytes));
  if (disk.written_bytes > 0) {
    line += fmt::format(
        "; preprocessing writes at most {} beside its data, {} at a time,\n"
        "      and removes it (assumed: {} img/s per vCPU)",
        size(disk.written_bytes),
        size(disk.at_once_bytes),
        report::count(static_cast<std::uint64_t>(items_per_vcpu_s)));
  }
  return line + "\n";
}

// Where a run writes more than there is room for.
std::optional<std::string> crowded(const std::vector<RunSpec>& pending) {
  for (const auto& spec : pending) {
    const auto needed = estimated_disk({spec}).at_once_bytes;
    std::error_code error;
    const auto folder = fs::absolute(spec.workload.data_path, error).parent_path();
    const auto space = fs::space(folder, error);
    if (needed > 0 && !error && needed > space.available) {
      return fmt::format("{} may write {} to {}, which has {} free",
                         spec.name,
                         report::bytes(static_cast<double>(needed)),
                         folder.string(),
                         report::bytes(static_cast<double>(space.available)));
    }
  }
  return std::nullopt;
}

// "" where nothing shows that a run would end before it begins.
std::string why_not_here(const Machine& machine, const RunSpec& spec) {
  if (const auto excess = excess_over(machine, spec.limits)) {
    return *excess;
  }
  if (spec.command.empty() && spec.workload.phase != Phase::preprocess) {
    const auto network = make_network(spec.workload.network, spec.workload.sequence);
    if (auto why = why_not_in_phase(network, spec.workload.phase); !why.empty()) {
      return why;
    }
  }
  return why_not_runnable(spec);
}

// A plan may be for another machine; measuring it here would leave these out, or refuse them.
std::string impossible_here(const std::vector<RunSpec>& pending) {
  const auto machine = describe_this_machine();
  std::size_t count = 0;
  std::string first;
  for (const auto& spec : pending) {
    if (auto why = why_not_here(machine, spec); !why.empty()) {
      first = count++ == 0 ? why : first;
    }
  }
  return count == 0 ? ""
                    : fmt::format("{} cannot be made on this machine, as in {}",
                                  report::count_of(count, "run"),
                                  first);
}

}  // namespace

int dry_run(Context& context,
            const std::string& format,
            const Plan& plan,
            const std::vector<RunSpec>& pending) {
  for (const auto& warning : {crowded(pending).value_or(""), impossible_here(pending)}) {
    if (!warning.empty()) {
      context.err << context.err_style.bad("warning:") << " " << warning << "\n";
    }
  }
  if (format == "json") {
    context.out << as_json(plan, pending);
    return exit_ok;
  }
  for (const auto& spec : pending) {
    context.out << report::run_label(spec) << "\n";
  }
  const bool programs = std::any_of(
      pending.begin(), pending.end(), [](const RunSpec& spec) { return !spec.command.empty(); });
  context.out << fmt::format("plan: {}, {} done, {} to run, about {}, at most {}{}\n",
                             report::count_of(plan.runs.size(), "run"),
                             plan.runs.size() - pending.size(),
                             pending.size(),
                             report::duration(estimated_s(pending)),
                             report::duration(longest_s(pending)),
                             programs ? " and what programs take to start" : "");
  context.out << disk_line(estimated_disk(pending));
  return exit_ok;
}

}  // namespace rightsize::cli
