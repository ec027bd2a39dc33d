// `campaign`: a file of runs, all of it or the part that was asked for, into the store.
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "advisor/cli/cluster.h"
#include "advisor/cli/command.h"
#include "advisor/cli/measuring.h"
#include "advisor/query/usage_error.h"
#include "advisor/query/words.h"
#include "advisor/report/table.h"
#include "advisor/report/units.h"
#include "advisor/text_file.h"
#include "profiler/campaign/fields.h"
#include "profiler/campaign/plan.h"
#include "profiler/campaign/shard.h"
#include "profiler/campaign/units.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;
using Words = std::vector<std::string>;

void add_campaign_options(Options& options) {
  add_measuring_options(options);
  options.add_options()("file", po::value<std::string>(), "the campaign (TOML)")(
      "data-root",
      po::value<std::string>(),
      "folder that relative data paths start from; else the campaign file's")(
      "set",
      po::value<Words>()->composing(),
      "key=value over what the file says, as in cpus=2 or cpus=1,2,4; may be repeated")(
      "section",
      po::value<Words>()->composing(),
      "only the [[run]]s of this name; may be repeated")(
      "shard", po::value<std::string>(), "only the i-th of n parts, as in 2/4; by content hash")(
      "time", po::value<std::string>(), "start no run that might end after this, as in 10m")(
      "plan",
      po::value<std::string>()->default_value("all"),
      "all, or adaptive: only the runs that teach most per second, until --target is reached")(
      "target",
      po::value<std::string>()->default_value("5%"),
      "with --plan adaptive: how well all runs shall be known, as a half width");
  options.add_options()("fields", "list what a campaign file may say, and measure nothing");
  add_cluster_options(options);
}

constexpr const char* field_words =
    "\nEach field has one value, in [defaults] or in a [[run]]; several go under axes of the run, "
    "as "
    "axes = {cpus = [0.5, 1]}.\ndata_path, arrivals and files of networks are found from the "
    "campaign file's folder, the words of command from the\ncurrent one, where the program "
    "starts.\n";

report::Table field_table() {
  report::Table table({{"field"}, {"meaning"}, {"value"}});
  for (const auto& field : campaign_fields()) {
    table.add({std::string(field.name), std::string(field.meaning), std::string(field.expected)});
  }
  return table;
}

Words words_of(const Values& values, const char* option) {
  return values.count(option) > 0 ? values[option].as<Words>() : Words{};
}

Plan wanted_plan(const Values& values) {
  PlanOptions options;
  options.network_meant = network_meant;
  options.check_network = refuse_unknown_network;
  options.overrides = words_of(values, "set");
  options.sections = words_of(values, "section");
  options.no_throttle = values.count("no-throttle") > 0;
  if (values.count("data-root") > 0) {
    options.data_root = values["data-root"].as<std::string>();
  }
  check_readable(values["file"].as<std::string>());
  auto plan = load_plan(values["file"].as<std::string>(), options);
  if (values.count("shard") > 0) {
    const auto& text = values["shard"].as<std::string>();
    const auto shard = parse_shard(text);
    if (!shard) {
      throw UsageError(
          fmt::format("--shard {}: expected i/n with i from 1 to n, as in --shard 2/4", text));
    }
    keep_shard(plan.runs, *shard);
  }
  return plan;
}

// "5%" or "0.05".
double target_of(const Values& values) {
  const auto& text = values["target"].as<std::string>();
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const double share = *end == '%' ? number / 100 : number;
  const bool whole = end != text.c_str() && (*end == '\0' || std::string_view(end) == "%");
  if (!whole || !(share > 0 && share < 1)) {
    throw UsageError(fmt::format("--target {}: expected a share such as 5%", text));
  }
  return share;
}

// 0: all runs, in order.
double adaptive_target(const Values& values) {
  const auto& plan = values["plan"].as<std::string>();
  if (plan != "all" && plan != "adaptive") {
    throw UsageError(fmt::format("--plan {}: expected all or adaptive", plan));
  }
  if (plan == "all" && !values["target"].defaulted()) {
    throw UsageError("--target goes with --plan adaptive: all runs are made otherwise");
  }
  return plan == "adaptive" ? target_of(values) : 0;
}

}  // namespace

int run_campaign(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_campaign_options(options);
  const auto values = parse(context, "campaign", options, {"file"}, arguments);
  if (values.count("fields") > 0) {
    const auto format = output_format(values, {"table", "json", "csv", "md"});
    const auto* more = format == "table" ? field_words : "";
    emit(context, values, report::rendered(field_table(), format, context.out_style) + more);
    return exit_ok;
  }
  if (values.count("file") == 0) {
    throw UsageError(
        "which campaign? usage: rightsize campaign FILE.toml (what it may say: rightsize campaign "
        "--fields)");
  }
  Measurement wanted{wanted_plan(values),
                     campaign_options(values),
                     adaptive_target(values),
                     "rightsize campaign " + shell_line(arguments)};
  if (values.count("time") > 0) {
    const auto& text = values["time"].as<std::string>();
    wanted.options.budget_s = parse_seconds(text).value_or(0);
    if (wanted.options.budget_s <= 0) {
      throw UsageError(fmt::format("--time {}: expected a time such as 90s, 10m or 2h", text));
    }
  }
  if (wants_cluster(values)) {
    if (wanted.adaptive_target > 0) {
      throw UsageError(
          "--plan adaptive chooses each run by the ones before it, and --slurm makes them side by "
          "side; use one of them");
    }
    return share_campaign(context, values, wanted);
  }
  if (wanted.plan.duplicates > 0) {
    context.err << fmt::format("note: {} left out: an earlier one asks for the same\n",
                               report::count_of(wanted.plan.duplicates, "run"));
  }
  if (values.count("dry-run") == 0) {
    leave_out_excess(context, wanted.plan);
  }
  return measure(context, values, wanted);
}

}  // namespace rightsize::cli
