#include "advisor/cli/measuring.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/adaptive_choice.h"
#include "advisor/cli/campaign_progress.h"
#include "advisor/cli/dry_run.h"
#include "advisor/report/runs.h"
#include "advisor/report/units.h"
#include "kernels/network.h"
#include "profiler/store/store.h"

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

std::string measuring_format(const Values& values) {
  return output_format(values, {"table", "json", "jsonl", "csv", "md"});
}

// A dry run makes nothing, not even the store.
int dry_measure(Context& context, const Values& values, const Measurement& wanted) {
  const auto db = store_path(values);
  const auto format = measuring_format(values);
  if (!std::filesystem::exists(db)) {
    return dry_run(context, format, wanted.plan, wanted.plan.runs);
  }
  const Store store(db, {Access::read});
  return dry_run(context, format, wanted.plan, pending_runs(wanted.plan, store, wanted.options));
}

bool has_status(const std::vector<Record>& records, Status status) {
  return std::any_of(records.begin(), records.end(), [&](const Record& record) {
    return record.status == status;
  });
}

// What to type next, for who typed `again`.
std::string advice(const std::vector<Record>& records, std::string again) {
  constexpr std::string_view fresh = " --fresh";  // what is good need not be made a third time
  if (const auto at = again.find(fresh); at != std::string::npos) {
    again.erase(at, fresh.size());
  }
  const bool may_improve = has_status(records, Status::untrusted) ||
                           has_status(records, Status::failed) ||
                           has_status(records, Status::timed_out);
  if (may_improve && again.find(" --retry-failed") == std::string::npos) {
    return fmt::format("Next: {} --retry-failed", again);
  }
  return has_status(records, Status::measured) ? "Next: rightsize fit    rightsize records list"
                                               : "Next: rightsize doctor";
}

}  // namespace

void add_measuring_options(Options& options) {
  add_output_options(options);
  add_store_option(options);
  options.add_options()("dry-run,n",
                        "list the runs, the time and the disk they take at most; measure nothing")(
      "fresh", "measure again what the store already has")(
      "retry-failed", "measure again what failed or is untrusted")(
      "fail-fast", "stop at the first run without a throughput")(
      "strict", "exit 4 when a run is untrusted")("no-throttle",
                                                  "no control groups: only what needs no rights")(
      "progress", po::value<std::string>()->default_value("auto"), "auto, plain, jsonl or none");
}

CampaignOptions campaign_options(const Values& values) {
  CampaignOptions options;
  options.fresh = values.count("fresh") > 0;
  options.retry_failed = values.count("retry-failed") > 0;
  options.fail_fast = values.count("fail-fast") > 0;
  options.run.privileged = values.count("no-throttle") == 0;
  return options;
}

void refuse_unknown_network(const Workload& work) {
  static_cast<void>(make_network(work.network, work.sequence));
}

int measure(Context& context, const Values& values, const Measurement& wanted) {
  CampaignReporter reporter(context, values["progress"].as<std::string>());
  static_cast<void>(measuring_format(values));  // a word it cannot do ends before the first run
  if (values.count("dry-run") > 0) {
    return dry_measure(context, values, wanted);
  }
  const auto db = store_path(values);
  auto store = open_store(values);
  auto options = wanted.options;
  std::optional<AdaptiveChoice> choice;
  if (wanted.adaptive_target > 0) {
    choice.emplace(wanted.plan, store, wanted.adaptive_target);
    options.choose = std::ref(*choice);
  }
  const auto summary = run_campaign(wanted.plan, store, options, reporter.callbacks());
  const auto records = emit_records(context, values, wanted.plan, store);
  reporter.ended(summary, db);
  if (choice && choice->uncertainty()) {
    reporter.say(fmt::format("All {} runs are known to ±{} {}",
                             wanted.plan.runs.size(),
                             report::percent(*choice->uncertainty()),
                             choice->content() ? "as asked; what is left need not be measured."
                                               : "(median half width of the 90 % intervals)."));
  }
  if (summary.over_budget && summary.run == 0) {
    reporter.say("--time is too short for every one of them; --dry-run says what they take.");
  } else if (summary.interrupted || summary.over_budget) {
    reporter.say(wanted.options.fresh ? "Run the same command without --fresh to continue."
                                      : "Run the same command again to continue.");
  } else {
    suggest(context, values, records, wanted.again);
  }
  if (summary.interrupted) {
    return exit_interrupted;
  }
  return wanted.plan.runs.empty() ? exit_ok : exit_code_for(values, records);
}

std::vector<Record> emit_records(Context& context,
                                 const Values& values,
                                 const Plan& plan,
                                 const RecordLog& log) {
  std::vector<Record> records;
  for (const auto& spec : plan.runs) {
    if (auto record = log.find(run_id(spec))) {
      records.push_back(std::move(*record));
    }
  }
  emit(context, values, render(records, measuring_format(values), context));
  return records;
}

void suggest(Context& context,
             const Values& values,
             const std::vector<Record>& records,
             const std::string& again) {
  if (!again.empty() && !records.empty() && values["progress"].as<std::string>() != "jsonl") {
    context.err << advice(records, again) << "\n";
  }
}

int exit_code_for(const Values& values, const std::vector<Record>& records) {
  if (has_status(records, Status::untrusted) && values.count("strict") > 0) {
    return exit_untrusted;
  }
  const bool any = has_status(records, Status::measured) || has_status(records, Status::untrusted);
  return any ? exit_ok : exit_failed;
}

}  // namespace rightsize::cli
