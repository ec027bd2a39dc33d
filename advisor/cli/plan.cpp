#include "advisor/cli/plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/cli/evidence.h"
#include "advisor/cli/flag_word.h"
#include "advisor/cli/idle_flags.h"

namespace rightsize::cli {
namespace {

void refuse_flags_of_one_job(const Values& values) {
  for (const auto* single : {"sort", "chart", "max-results", "seed", "quick"}) {
    if (given(values, single)) {
      throw UsageError(fmt::format("--{} is about one job; ask for each by itself", single));
    }
  }
  if (given(values, "current")) {
    throw UsageError(
        "--current: of which of the jobs? Say it in its job file: current = \"g5.xlarge\" under "
        "[job]");
  }
  if (given(values, "measured")) {
    throw UsageError(
        "--measured: of which of the jobs? Say it in its job file: [[measured]] with gpu, "
        "items_per_s and batch_per_gpu");
  }
}

// Flags that change nothing for any of the jobs.
std::vector<std::string> idle_in_all(const Values& values, const std::vector<Query>& queries) {
  constexpr auto of_plan = "runs-per-month";  // its month has as many
  auto idle = idle_flags(values, queries.front(), of_plan);
  for (const auto& query : queries) {
    const auto here = idle_flags(values, query, of_plan);
    std::erase_if(idle, [&](const std::string& sentence) {
      return std::find(here.begin(), here.end(), sentence) == here.end();
    });
  }
  return idle;
}

}  // namespace

Fleet planned(Context& context, const Values& values, const std::vector<std::string>& files) {
  refuse_flags_of_one_job(values);
  std::vector<Query> queries;
  for (const auto& file : files) {
    queries.push_back(query_of_file(values, file));
  }
  const auto knowledge = load_knowledge(context, values, queries);
  auto fleet = plan_fleet(queries, knowledge.evidence());
  for (const auto* limit : {"deadline", "budget"}) {
    if (given(values, limit)) {
      context.err << fmt::format("note: --{} holds for each job by itself, not for the plan\n",
                                 limit);
    }
  }
  for (const auto& sentence : idle_in_all(values, queries)) {
    context.err << context.err_style.bad("warning:") << " " << sentence << "\n";
  }
  return fleet;
}

}  // namespace rightsize::cli
