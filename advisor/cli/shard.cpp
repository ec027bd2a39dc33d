// The hidden command that a task of `campaign --slurm` runs: its part of the submission in FOLDER,
// into a journal of its own.
#include "profiler/campaign/shard.h"

#include <cstdlib>

#include <fmt/format.h>

#include "advisor/cli/campaign_progress.h"
#include "advisor/cli/command.h"
#include "advisor/query/usage_error.h"
#include "profiler/campaign/slurm.h"
#include "profiler/campaign/units.h"
#include "profiler/store/journal.h"

namespace rightsize::cli {

namespace po = boost::program_options;

namespace {

// The record says which node made it: nodes of one kind differ, too.
Record run_on_node(const RunSpec& spec, const RunOptions& options) {
  auto record = run_one(spec, options);
  if (const char* node = std::getenv("SLURMD_NODENAME"); node != nullptr) {
    record.software["slurm_node"] = node;
  }
  return record;
}

}  // namespace

int run_shard_command(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  options.add_options()("folder", po::value<std::string>()->required(), "of the submission")(
      "part", po::value<std::string>()->required(), "i/n")(
      "attempt", po::value<int>()->default_value(0), "how often the task was queued again")(
      "no-throttle", "no control groups")("time", po::value<std::string>(), "budget of the task");
  const auto values = parse(context, "shard", options, {"folder", "part"}, arguments);
  const auto folder = values["folder"].as<std::string>();
  const auto shard = parse_shard(values["part"].as<std::string>());
  if (!shard) {
    throw UsageError(fmt::format("{}: expected i/n", values["part"].as<std::string>()));
  }
  Plan plan;
  plan.path = folder;
  plan.runs = submitted_runs(folder);
  keep_shard(plan.runs, *shard);
  CampaignOptions campaign;
  campaign.make = run_on_node;
  campaign.any_machine = true;  // an earlier attempt may have had another node
  campaign.run.privileged = values.count("no-throttle") == 0;
  if (values.count("time") > 0) {
    campaign.budget_s = parse_seconds(values["time"].as<std::string>()).value_or(0);
  }
  const auto path = journal_path(folder, shard->index, values["attempt"].as<int>());
  Journal journal(path);
  CampaignReporter reporter(context, "plain");
  const auto summary = rightsize::run_campaign(plan, journal, campaign, reporter.callbacks());
  reporter.ended(summary, path);
  return summary.interrupted ? exit_interrupted : exit_ok;
}

}  // namespace rightsize::cli
