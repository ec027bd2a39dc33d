#include "advisor/cli/measuring.h"

#include <algorithm>
#include <filesystem>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/progress.h"
#include "advisor/query.h"
#include "advisor/report/runs.h"
#include "advisor/report/units.h"
#include "profiler/campaign/campaign.h"
#include "profiler/store/store.h"
#include "profiler/throttle/throttle.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

std::string render(const std::vector<Record>& records,
                   const std::string& format,
                   const Context& context) {
  if (format == "json" || format == "jsonl") {
    std::string out;
    boost::json::array list;
    for (const auto& record : records) {
      if (format == "jsonl") {
        out += boost::json::serialize(to_json(record)) + "\n";
      } else {
        list.push_back(to_json(record));
      }
    }
    return format == "jsonl" ? out : boost::json::serialize(list) + "\n";
  }
  return report::rendered(report::run_table(records), format, context.out_style);
}

int dry_run(Context& context, const Plan& plan, const std::vector<RunSpec>& pending) {
  for (const auto& spec : pending) {
    context.out << report::run_label(spec) << "\n";
  }
  context.out << fmt::format("plan: {} runs, {} done, {} to run, at most {}\n",
                             plan.runs.size(),
                             plan.runs.size() - pending.size(),
                             pending.size(),
                             report::duration(estimated_s(pending)));
  return exit_ok;
}

std::string summary_line(const CampaignSummary& summary, const std::string& db) {
  std::string counts;
  for (const auto& [status, count] : summary.by_status) {
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, to_string(status));
  }
  return fmt::format("{}{}{} in {} -> {}\n",
                     counts.empty() ? "nothing to run" : counts,
                     summary.skipped > 0 ? fmt::format(", {} already there", summary.skipped) : "",
                     summary.interrupted ? ", interrupted" : "",
                     report::duration(summary.seconds),
                     db);
}

}  // namespace

void add_measuring_options(Options& options) {
  add_output_options(options);
  add_store_option(options);
  options.add_options()("dry-run,n",
                        "list the runs and the time they take at most; measure nothing")(
      "fresh", "measure again what the store already has")(
      "retry-failed", "measure again what failed or is untrusted")(
      "fail-fast", "stop at the first run without a throughput")(
      "strict", "exit 4 when a run is untrusted")("no-throttle",
                                                  "no control groups: only what needs no rights")(
      "progress", po::value<std::string>()->default_value("auto"), "auto, plain or none");
}

int measure(Context& context, const Values& values, const Plan& plan) {
  const auto format = output_format(values, {"table", "json", "jsonl", "csv", "md"});
  const auto db = store_path(values);
  CampaignOptions options;
  options.fresh = values.count("fresh") > 0;
  options.retry_failed = values.count("retry-failed") > 0;
  options.fail_fast = values.count("fail-fast") > 0;
  options.run.privileged = values.count("no-throttle") == 0;
  const bool dry = values.count("dry-run") > 0;
  if (dry && !std::filesystem::exists(db)) {
    return dry_run(context, plan, plan.runs);  // a dry run makes nothing, not even the store
  }
  const auto wish = values["progress"].as<std::string>();
  if (wish != "auto" && wish != "plain" && wish != "none") {
    throw UsageError(fmt::format("--progress {}: expected auto, plain or none", wish));
  }
  const auto parent = std::filesystem::path(db).parent_path();
  if (!parent.empty()) {
    std::filesystem::create_directories(parent);
  }
  Store store(db);
  if (dry) {
    return dry_run(context, plan, pending_runs(plan, store, options));
  }
  ProgressLine line(context.err, wish == "auto" && context.err_is_terminal);
  const bool plain = wish == "plain" || (wish == "auto" && !context.err_is_terminal);
  CampaignCallbacks callbacks;
  callbacks.started = [&](const CampaignProgress& progress, const RunSpec& spec) {
    line.show(fmt::format(" [{:>{}}/{}] {}   eta {}",
                          progress.index + 1,
                          std::to_string(progress.total).size(),
                          progress.total,
                          report::run_label(spec),
                          report::duration(progress.eta_s)));
  };
  callbacks.finished = [&](const CampaignProgress& progress, const Record& record) {
    if (plain) {
      context.err << fmt::format(
          "[{}/{}] {}\n", progress.index + 1, progress.total, report::run_sentence(record));
    }
  };
  const auto summary = rightsize::run_campaign(plan, store, options, callbacks);
  line.clear();
  std::vector<Record> records;
  for (const auto& spec : plan.runs) {
    if (auto record = store.find(run_id(spec))) {
      records.push_back(std::move(*record));
    }
  }
  emit(context, values, render(records, format, context));
  context.err << summary_line(summary, db);
  if (summary.interrupted) {
    context.err << "Run the same command again to continue.\n";
    return exit_interrupted;
  }
  const bool usable = std::any_of(records.begin(), records.end(), is_usable);
  const bool untrusted = std::any_of(records.begin(), records.end(), [](const Record& record) {
    return record.status == Status::untrusted;
  });
  if (untrusted && values.count("strict") > 0) {
    return exit_untrusted;
  }
  return !usable && !plan.runs.empty() ? exit_failed : exit_ok;
}

}  // namespace rightsize::cli
