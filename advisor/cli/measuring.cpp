#include "advisor/cli/measuring.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <regex>

#include <fmt/format.h>

#include "advisor/adaptive_choice.h"
#include "advisor/cli/baseline.h"
#include "advisor/cli/campaign_progress.h"
#include "advisor/cli/dry_run.h"
#include "advisor/query/usage_error.h"
#include "advisor/report/differential_text.h"
#include "advisor/report/record_columns.h"
#include "advisor/report/units.h"
#include "kernels/network.h"
#include "kernels/networks/program.h"
#include "profiler/campaign/excess.h"
#include "profiler/command/unseen_steps.h"
#include "profiler/measure/core_speed.h"
#include "profiler/store/store.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

std::string measuring_format(const Values& values) {
  return output_format(values, {"table", "json", "jsonl", "csv", "md"});
}

// What keeps a campaign from making all the runs that a dry run lists: a line each, "" where
// nothing does.
std::string why_not_all(const Measurement& wanted) {
  std::string lines;
  if (wanted.options.budget_s > 0) {
    lines += fmt::format(
        "--time {}: a run that might end after it is not started; the same command makes the "
        "others later\n",
        report::duration(wanted.options.budget_s));
  }
  if (wanted.adaptive_target > 0) {
    lines += fmt::format(
        "--plan adaptive: of these runs the one that teaches most per second is next, until all "
        "are known to ±{}%\n",
        report::digits(100 * wanted.adaptive_target));
  }
  return lines;
}

// A dry run makes nothing, not even the store.
int dry_measure(Context& context, const Values& values, const Measurement& wanted) {
  const auto db = store_path(values);
  const auto format = measuring_format(values);
  int code = exit_ok;
  if (std::filesystem::exists(db)) {
    const Store store(db, {Access::read});
    code = dry_run(context, format, wanted.plan, pending_runs(wanted.plan, store, wanted.options));
  } else {
    code = dry_run(context, format, wanted.plan, wanted.plan.runs);
  }
  if (format != "json") {
    context.out << why_not_all(wanted);
  }
  return code;
}

bool has_status(const std::vector<Record>& records, Status status) {
  return std::any_of(records.begin(), records.end(), [&](const Record& record) {
    return record.status == status;
  });
}

// The same command with another way to see steps, which every program has: what it was told by
// --steps did not happen, and would not the next time.
std::string with_other_steps(std::string again) {
  const auto dashes = std::min(again.find(" -- "), again.size());
  static const std::regex said(" --(steps|items-per-step)[ =]('[^']*'|[^ ])+");
  const auto before = again.substr(0, dashes);
  const auto* other =
      before.find("--steps cpu") == std::string::npos ? " --steps cpu" : " --steps exit";
  return std::regex_replace(before, said, "") + other + again.substr(dashes);
}

// What to type next, for who typed `again`.
std::string advice(const std::vector<Record>& records, std::string again, bool only_retry) {
  constexpr std::string_view fresh = " --fresh";  // what is good need not be made a third time
  if (const auto at = again.find(fresh); at < again.find(" -- ")) {
    again.erase(at, fresh.size());
  }
  const bool unseen = again.find(" -- ") != std::string::npos && !records.empty() &&
                      std::all_of(records.begin(), records.end(), [](const Record& record) {
                        return record.status != Status::measured && saw_no_step(record.reason);
                      });
  if (unseen) {
    return "Next: " + with_other_steps(again);
  }
  const bool may_improve = has_status(records, Status::untrusted) ||
                           has_status(records, Status::failed) ||
                           has_status(records, Status::timed_out);
  const auto dashes = again.find(" -- ");  // what follows is the user's program
  const auto options = again.substr(0, dashes);
  if (may_improve && options.find(" --retry-failed") == std::string::npos) {
    again.insert(options.size(), " --retry-failed");
    return "Next: " + again;
  }
  if (only_retry) {
    return {};
  }
  return has_status(records, Status::measured) ? "Next: rightsize fit    rightsize records list"
                                               : "Next: rightsize doctor";
}

// By the machine's baseline; where there is none, by what its runs have seen so far.
std::optional<double> usual_speed(const Store& store) {
  const auto baseline = stored_baseline();
  const auto* figure = baseline ? baseline->find(core_speed_figure) : nullptr;
  return figure != nullptr ? std::optional(figure->value.median)
                           : usual_core_speed(store.all(), describe_this_machine());
}

}  // namespace

void add_measuring_options(Options& options) {
  add_output_options(options);
  add_store_option(options);
  options.add_options()("dry-run,n",
                        "list the runs, the time and the disk they take; measure nothing")(
      "fresh", "measure again what the store already has")(
      "retry-failed", "measure again what failed or is untrusted")(
      "fail-fast", "stop at the first run without a throughput")(
      "strict", "exit 4 when a run is untrusted, 1 when one failed or timed out")(
      "no-throttle", "no control groups: only what needs no rights")(
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
  if (const auto program = program_named(work.network)) {
    throw UsageError(fmt::format(
        "network {}: a program of your own is measured by its command: rightsize profile --cpus "
        "0.25,0.5,1,2 --items-per-step 64 --steps 'regex:step (\\d+)' -- python3 {}",
        work.network,
        *program));
  }
  static_cast<void>(make_network(work.network, work.sequence));
}

void refuse_excess(const Plan& plan) {
  const auto machine = describe_this_machine();
  for (const auto& run : plan.runs) {
    if (const auto excess = excess_over(machine, run.limits)) {
      throw UsageError(fmt::format("{}, and a limit can only take away; ask for less", *excess));
    }
  }
}

void leave_out_excess(Context& context, Plan& plan) {
  const auto machine = describe_this_machine();
  std::string first;
  const auto left_out = std::erase_if(plan.runs, [&](const RunSpec& run) {
    const auto excess = excess_over(machine, run.limits);
    first = excess && first.empty() ? *excess : first;
    return excess.has_value();
  });
  if (left_out > 0 && plan.runs.empty()) {
    throw UsageError(fmt::format(
        "{}: every run asks for more than this machine has, as in {}", plan.path, first));
  }
  if (left_out > 0) {
    context.err << fmt::format(
        "note: {} left out, as in {}\n", report::count_of(left_out, "run"), first);
  }
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
  options.run.usual_core_speed = usual_speed(store);
  options.run.note = [&](const std::string& sentence) { reporter.note(sentence); };
  options.run.window = [&](const RunWindow& window) { reporter.window(window); };
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
                             choice->content()
                                 ? "as asked; what is left need not be measured."
                                 : fmt::format("(median half width of the 90 % intervals), not to "
                                               "the ±{} asked for{}.",
                                               report::percent(wanted.adaptive_target),
                                               summary.left == 0 ? ", though each was made" : "")));
  }
  if (summary.over_budget && summary.run == 0) {
    reporter.say("--time is too short for every one of them; --dry-run says what they take.");
  } else if (summary.interrupted || summary.over_budget) {
    reporter.say(wanted.options.fresh ? "Run the same command without --fresh to continue."
                                      : "Run the same command again to continue.");
  } else {
    suggest(context, values, records, wanted.again, wanted.only_retry);
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
  const auto this_machine = machine_key(describe_this_machine());
  for (const auto& spec : plan.runs) {
    if (auto record = log.find(run_id(spec), this_machine)) {
      records.push_back(std::move(*record));
    }
  }
  const auto format = measuring_format(values);
  auto text = report::rendered_records(records, format, context.out_style);
  if (format == "table") {
    text += report::differential_text(records, context.out_style);
  }
  emit(context, values, text);
  return records;
}

namespace {

int exit_code(bool strict, const std::vector<Record>& records) {
  if (strict && (has_status(records, Status::failed) || has_status(records, Status::timed_out))) {
    return exit_failed;
  }
  if (strict && has_status(records, Status::untrusted)) {
    return exit_untrusted;
  }
  const bool any = has_status(records, Status::measured) || has_status(records, Status::untrusted);
  return any ? exit_ok : exit_failed;
}

}  // namespace

void suggest(Context& context,
             const Values& values,
             const std::vector<Record>& records,
             const std::string& again,
             bool only_retry) {
  if (again.empty() || records.empty() || values["progress"].as<std::string>() == "jsonl") {
    return;
  }
  const auto line = advice(records, again, only_retry);
  context.err << line << (line.empty() ? "" : "\n");
  if (has_status(records, Status::untrusted) && !has_status(records, Status::measured)) {
    const int strict = exit_code(true, records);
    const auto code = values.count("strict") > 0
                          ? fmt::format("so the exit code is {} (--strict)", strict)
                          : fmt::format("though the exit code is 0; --strict makes it {}", strict);
    context.err << fmt::format("note: nothing here is trusted, {}\n", code);
  }
}

int exit_code_for(const Values& values, const std::vector<Record>& records) {
  return exit_code(values.count("strict") > 0, records);
}

}  // namespace rightsize::cli
