#include "advisor/cli/cluster.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <poll.h>

#include "advisor/cli/campaign_progress.h"
#include "advisor/query/usage_error.h"
#include "advisor/report/units.h"
#include "profiler/campaign/slurm.h"
#include "profiler/store/store.h"

namespace rightsize::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

SlurmOptions slurm_options(const Values& values, std::size_t runs, double time_s) {
  SlurmOptions options;
  options.tasks = values["tasks"].as<int>();
  if (options.tasks < 1) {
    throw UsageError(fmt::format("--tasks {}: expected at least 1", options.tasks));
  }
  options.tasks =
      static_cast<int>(std::min<std::size_t>(options.tasks, std::max<std::size_t>(runs, 1)));
  options.time_s = time_s;
  if (values.count("partition") > 0) {
    options.partition = values["partition"].as<std::string>();
  }
  if (values.count("gres") > 0) {
    options.gres = values["gres"].as<std::string>();
  }
  if (values.count("sbatch-option") > 0) {
    options.extra = values["sbatch-option"].as<std::vector<std::string>>();
  }
  options.executable = fs::read_symlink("/proc/self/exe").string();
  if (values.count("no-throttle") > 0) {
    options.arguments.emplace_back("--no-throttle");
  }
  if (time_s > 0) {
    options.arguments.push_back(fmt::format("--time={}s", time_s));
  }
  return options;
}

// The command without what was asked of the cluster this time.
std::string plain_command(std::string again) {
  for (const std::string_view word : {" --slurm", " --wait", " --collect", " --dry-run", " -n"}) {
    for (auto at = again.find(word); at != std::string::npos; at = again.find(word)) {
      again.erase(at, word.size());
    }
  }
  return again;
}

// A task marks its records as the campaign did when it was submitted; those that the store has may
// be marked anew since.
std::vector<Record> as_marked_now(std::vector<Record> records, const Store& store) {
  for (auto& record : records) {
    const auto before = store.find(record.id, machine_key(record.machine));
    if (before && before->started_at == record.started_at) {
      record.hold_out = before->hold_out;
    }
  }
  return records;
}

// What all submissions of the campaign have written so far, into the store.
void collect(Store& store, const Plan& plan, CampaignReporter& reporter) {
  ImportSummary sum;
  const auto folders = job_folders(store.path(), plan.name);
  for (const auto& folder : folders) {
    const auto summary = store.merge(as_marked_now(collected_records(folder), store));
    sum.added += summary.added;
    sum.replaced += summary.replaced;
  }
  if (!folders.empty()) {
    reporter.say(fmt::format("collected {} from {}.slurm",
                             report::count_of(sum.added + sum.replaced, "new record"),
                             store.path()));
  }
  reporter.marked(mark_held_out(plan, store));
}

std::optional<std::string> queued_submission(const Store& store, const std::string& campaign) {
  for (const auto& folder : job_folders(store.path(), campaign)) {
    if (auto job = queued_job(folder)) {
      return job;
    }
  }
  return std::nullopt;
}

void warn_of_gpus(Context& context, const std::vector<RunSpec>& runs, const SlurmOptions& options) {
  const auto on_gpu = std::count_if(runs.begin(), runs.end(), [](const RunSpec& run) {
    return run.workload.engine == EngineKind::gpu;
  });
  if (on_gpu > 0 && options.gres.empty()) {
    context.err << context.err_style.bad("warning:")
                << fmt::format(
                       " {} on engine = gpu and no --gres: a task may get a node without"
                       " one; try --gres gpu:1\n",
                       report::count_of(static_cast<std::uint64_t>(on_gpu), "run"));
  }
}

// Until Slurm has no task of it left, or the user has waited enough (false).
bool wait_for(const std::string& folder, std::size_t runs, CampaignReporter& reporter) {
  constexpr int period_ms = 1000;
  const InterruptScope interrupts;
  std::size_t shown = 0;
  while (InterruptScope::count() == 0) {
    const bool queued = queued_job(folder).has_value();
    const auto recorded = collected_records(folder).size();
    if (recorded != shown) {
      reporter.say(fmt::format("{} of {} recorded", recorded, report::count_of(runs, "run")));
      shown = recorded;
    }
    if (!queued) {
      return true;
    }
    poll(nullptr, 0, period_ms);  // a signal ends it
  }
  return false;
}

// The table, what is missing, and what to do about it.
int show_collected(Context& context,
                   const Values& values,
                   const Measurement& wanted,
                   const Store& store,
                   CampaignReporter& reporter) {
  const auto again = plain_command(wanted.again);
  const auto records = emit_records(context, values, wanted.plan, store);
  const auto left = wanted.plan.runs.size() - records.size();
  if (const auto job = queued_submission(store, wanted.plan.name)) {
    reporter.say(
        fmt::format("job {} is still queued or running; {} have no record yet\n"
                    "Next: {} --collect",
                    *job,
                    report::count_of(left, "run"),
                    again));
    return exit_ok;
  }
  if (left > 0) {
    reporter.say(fmt::format("{} have no record and no job is queued\nNext: {} --slurm",
                             report::count_of(left, "run"),
                             again));
  } else {
    suggest(context, values, records, again + " --slurm");
  }
  return exit_code_for(values, records);
}

int submit_campaign(Context& context,
                    const Values& values,
                    const Measurement& wanted,
                    Store& store,
                    CampaignReporter& reporter) {
  const auto& campaign = wanted.plan.name;
  if (const auto job = queued_submission(store, campaign)) {
    throw UsageError(fmt::format(
        "job {} of this campaign is still in the queue: wait for it and use --collect, or end it "
        "with scancel {}",
        *job,
        *job));
  }
  const auto runs = pending_runs(wanted.plan, store, wanted.options);
  if (runs.empty()) {
    reporter.say("nothing to run, all of it is in the store");
    return show_collected(context, values, wanted, store, reporter);
  }
  const auto options = slurm_options(values, runs.size(), wanted.options.budget_s);
  warn_of_gpus(context, runs, options);
  const auto folder = next_job_folder(store.path(), campaign);
  const auto job = submit(options, campaign, folder, runs);
  reporter.say(fmt::format("job {}: {} in {}, journals in {}",
                           job,
                           report::count_of(runs.size(), "run"),
                           report::count_of(static_cast<std::uint64_t>(options.tasks), "task"),
                           folder));
  const auto again = plain_command(wanted.again);
  if (values.count("wait") == 0) {
    reporter.say(fmt::format("Next: {} --collect", again));
    return exit_ok;
  }
  const bool through = wait_for(folder, runs.size(), reporter);
  collect(store, wanted.plan, reporter);
  const int code = show_collected(context, values, wanted, store, reporter);
  return through ? code : exit_interrupted;
}

}  // namespace

void add_cluster_options(Options& options) {
  options.add_options()("slurm", "submit the runs as an array job: a shard per task")(
      "collect", "take in what the tasks of --slurm have measured")(
      "wait", "with --slurm: until the job is through, then as --collect")(
      "tasks", po::value<int>()->default_value(4), "with --slurm: tasks that share the runs")(
      "partition", po::value<std::string>(), "with --slurm: where the tasks run")(
      "gres", po::value<std::string>(), "with --slurm: what a task needs, as in gpu:h100:1")(
      "sbatch-option",
      po::value<std::vector<std::string>>()->composing(),
      "with --slurm: passed on, as in --sbatch-option=--account=me; may be repeated");
}

bool wants_cluster(const Values& values) {
  const bool submits = values.count("slurm") > 0;
  const bool collects = values.count("collect") > 0;
  const bool details = values.count("wait") > 0 || values.count("partition") > 0 ||
                       values.count("gres") > 0 || values.count("sbatch-option") > 0 ||
                       !values["tasks"].defaulted();
  if (!submits && !collects && details) {
    throw UsageError("--wait, --tasks, --partition, --gres and --sbatch-option go with --slurm");
  }
  // A dry run of --collect is that of the campaign: what is left to do.
  return submits || (collects && values.count("dry-run") == 0);
}

int share_campaign(Context& context, const Values& values, const Measurement& given) {
  CampaignReporter reporter(context, values["progress"].as<std::string>());
  auto wanted = given;
  wanted.options.any_machine = true;  // whichever node made it
  const auto db = fs::absolute(store_path(values)).string();
  if (values.count("dry-run") > 0) {
    const auto& runs = wanted.plan.runs;
    context.out << sbatch_script(slurm_options(values, runs.size(), wanted.options.budget_s),
                                 wanted.plan.name,
                                 next_job_folder(db, wanted.plan.name));
    return exit_ok;
  }
  fs::create_directories(fs::path(db).parent_path());
  Store store(db);
  collect(store, wanted.plan, reporter);
  return values.count("slurm") > 0 ? submit_campaign(context, values, wanted, store, reporter)
                                   : show_collected(context, values, wanted, store, reporter);
}

}  // namespace rightsize::cli
