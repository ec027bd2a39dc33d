#include "advisor/cli/baseline.h"

#include <filesystem>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/cli/flag_word.h"
#include "advisor/query/usage_error.h"
#include "advisor/report/table.h"
#include "advisor/report/units.h"

namespace rightsize::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

[[noreturn]] void refuse_baseline(const std::string& path, const std::string& why) {
  throw UsageError(
      fmt::format("{}: {}; it is to be what `rightsize doctor --bench -o json` writes", path, why));
}

Baseline load(const std::string& path) {
  boost::json::error_code error;
  const auto value = boost::json::parse(read_file(path), error);
  if (error || !value.is_object()) {
    refuse_baseline(path, error ? "not JSON, or cut short" : "expected a JSON object");
  }
  try {
    return baseline_from_json(value.get_object());
  } catch (const std::exception& problem) {
    refuse_baseline(path, problem.what());
  }
}

std::string value_text(const BaselineFigure& figure, double value) {
  if (figure.unit == "B/s") {
    return report::bytes_per_s(value);
  }
  const std::string unit = figure.unit == "FLOP/s" ? "GFLOP/s"
                           : figure.unit == "op/s" ? "Gop/s"
                           : figure.unit == "1/s"  ? "IOPS"
                                                   : figure.unit;
  const bool giga = unit.starts_with('G');
  return fmt::format("{} {}", report::digits(giga ? value / 1e9 : value), unit);
}

std::string spread_text(const Measured& value) {
  return value.median > 0 ? "± " + report::percent((value.high - value.low) / 2 / value.median)
                          : "—";
}

report::Table table_of(const Baseline& mine, const std::optional<Baseline>& other) {
  std::vector<report::Column> columns{
      {"part"}, {"measured", report::Align::right}, {"", report::Align::right}};
  if (other) {
    columns.push_back({"other machine", report::Align::right});
    columns.push_back({"ratio", report::Align::right});
  }
  report::Table table(columns);
  for (const auto& figure : mine.figures) {
    std::vector<std::string> row{
        figure.name, value_text(figure, figure.value.median), spread_text(figure.value)};
    if (other) {
      const auto* theirs = other->find(figure.name);
      row.push_back(theirs == nullptr ? "—" : value_text(*theirs, theirs->value.median));
      row.push_back(theirs == nullptr || theirs->value.median <= 0
                        ? "—"
                        : report::digits(figure.value.median / theirs->value.median));
    }
    table.add(row);
  }
  return table;
}

void keep(const Baseline& baseline, Context& context) {
  const auto path = baseline_path();
  try {
    write_file(path, boost::json::serialize(to_json(baseline)) + "\n");
    context.err << "baseline -> " << path << "\n";
  } catch (const std::exception& error) {  // what was measured is still printed
    context.err << fmt::format("warning: the baseline was not kept: {}\n", error.what());
  }
}

}  // namespace

void add_baseline_options(Options& options) {
  options.add_options()("bench",
                        "measure cores, memory, JPEG decoding and the disk (about half a minute)")(
      "bench-folder",
      po::value<std::string>()->default_value("."),
      "on the disk to be measured; a file of up to 1 GiB is made there and removed")(
      "bench-seconds", po::value<double>()->default_value(0.3, "0.3"), "of each of five rounds")(
      "compare", po::value<std::string>(), "a baseline of another machine (JSON)");
}

void refuse_bench_options(const Values& values) {
  for (const auto* option : {"bench-seconds", "bench-folder", "compare"}) {
    if (given(values, option)) {
      throw UsageError(fmt::format("--{} goes with --bench", option));
    }
  }
}

int run_baseline(Context& context, const Values& values, const std::string& format) {
  BaselineOptions options;
  options.folder = values["bench-folder"].as<std::string>();
  options.round_s = values["bench-seconds"].as<double>();
  if (!fs::is_directory(options.folder)) {
    throw UsageError(fmt::format("--bench-folder {}: there is no such folder", options.folder));
  }
  if (!(options.round_s > 0) || options.round_s > 60) {
    throw UsageError("--bench-seconds: expected a time of at most 60 seconds");
  }
  const auto other = values.count("compare") > 0
                         ? std::optional(load(values["compare"].as<std::string>()))
                         : std::nullopt;
  const auto baseline = measure_baseline(options);
  keep(baseline, context);
  constexpr double disturbing = 0.1;
  if (baseline.neighbour_cpus > disturbing) {
    context.err << fmt::format(
        "warning: other processes kept {} CPUs busy meanwhile; these figures are too low\n",
        report::digits(baseline.neighbour_cpus));
  }
  if (format == "json") {
    emit(context, values, boost::json::serialize(to_json(baseline)) + "\n");
    return exit_ok;
  }
  auto text = report::rendered(table_of(baseline, other), format, context.out_style);
  if (format == "table") {
    for (const auto& reason : baseline.left_out) {
      text += fmt::format("not measured: {}\n", reason);
    }
  }
  emit(context, values, text);
  return exit_ok;
}

std::optional<Baseline> stored_baseline() {
  const auto path = baseline_path();
  if (!fs::exists(path)) {
    return std::nullopt;
  }
  try {
    auto baseline = load(path);
    return machine_key(baseline.machine) == machine_key(describe_this_machine())
               ? std::optional(std::move(baseline))
               : std::nullopt;
  } catch (const UsageError&) {
    return std::nullopt;  // of a later version, or cut short: as good as none
  }
}

}  // namespace rightsize::cli
