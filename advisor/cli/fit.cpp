#include "models/fit.h"

#include <algorithm>
#include <map>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/cli/baseline.h"
#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/cli/flag_word.h"
#include "advisor/report/quality.h"
#include "advisor/report/units.h"
#include "profiler/block_device.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

// CSV and JSON hold plain numbers; people read tables.
bool for_programs(const std::string& format) {
  return format == "csv" || format == "json";
}

// Measured on the machine that the baseline is of, from the disk that it is of.
bool is_of(const Record& record, const Baseline& baseline) {
  if (machine_key(record.machine) != machine_key(baseline.machine)) {
    return false;
  }
  if (record.workload.data_path.empty()) {
    return true;
  }
  const auto device = block_device_of(record.workload.data_path);
  return device && device->name == baseline.disk_device;
}

// What `doctor --bench` saw, where it was seen of the machine and the disk of all records.
FitOptions options_for(const std::vector<Record>& records) {
  FitOptions options;
  const auto baseline = stored_baseline();
  const bool fits = baseline && !baseline->disk_device.empty() &&
                    std::all_of(records.begin(), records.end(), [&](const Record& record) {
                      return is_of(record, *baseline);
                    });
  if (const auto* disk = fits ? baseline->find("disk read random 128 KiB, depth 8") : nullptr) {
    options.disk_bytes_per_s = disk->value.median;
  }
  return options;
}

}  // namespace

int run_fit(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_output_options(options);
  add_store_option(options);
  add_model_option(options);
  options.add_options()("records", po::value<std::vector<std::string>>(), "JSONL files");
  const auto values = parse(context, "fit", options, {"records..."}, arguments);
  const auto format = output_format(values, {"table", "wide", "json", "csv", "md"});
  const auto records = load_records(values);
  const auto summary = fit(records, options_for(records));
  const auto path = model_path(values);
  write_file(path, boost::json::serialize(to_json(summary.model)) + "\n");
  emit(context,
       values,
       format == "json"  ? boost::json::serialize(to_json(summary.model)) + "\n"
       : format == "csv" ? report::parameter_table(summary.model).csv()
       : format == "md"  ? report::parameter_table(summary.model).markdown()
                         : report::fit_text(summary, context.out_style, format == "wide"));
  for (const auto& warning : summary.warnings) {
    context.err << context.err_style.bad("warning:") << " " << warning << "\n";
  }
  context.err << "model -> " << path << "\n";
  return exit_ok;
}

namespace {

// By what is left out, then all of these by how far the figures were and whose libraries ran.
std::vector<report::RateCheckRow> published_rows() {
  const auto tables = shipped_rate_tables();
  std::vector<report::RateCheckRow> rows;
  std::map<std::pair<RateRegime, Stack>, std::vector<RateCheck>> by_regime;
  for (const auto& [left_out, name] : {std::pair{LeaveOut::gpu, "GPU"},
                                       std::pair{LeaveOut::network, "network"},
                                       std::pair{LeaveOut::both, "both"},
                                       std::pair{LeaveOut::curve, "curve over the batch"},
                                       std::pair{LeaveOut::publisher, "publisher"}}) {
    const auto checks = check_rates(tables, left_out);
    rows.push_back({name, errors_of(checks)});
    for (const auto& check : checks) {
      by_regime[{check.predicted.regime, check.predicted.stack}].push_back(check);
    }
  }
  for (const auto& [key, checks] : by_regime) {
    rows.push_back(
        {fmt::format("of these {}, {} stack", to_string(key.first), to_string(key.second)),
         errors_of(checks)});
  }
  return rows;
}

// The GPU laws against published figures that they were made without.
int validate_published(Context& context, const Values& values, const std::string& format) {
  const auto rows = published_rows();
  emit(context,
       values,
       report::rendered(
           for_programs(format) ? report::rate_check_data(rows) : report::rate_check_table(rows),
           format,
           context.out_style));
  const bool failed = values.count("max-median") > 0 &&
                      rows.front().errors.median_error > values["max-median"].as<double>();
  return failed ? exit_check_failed : exit_ok;
}

std::optional<GridLimit> grid_limit_meant(std::string_view text) {
  return text == "cpus"        ? std::optional(GridLimit::cpus)
         : text == "memory"    ? std::optional(GridLimit::memory)
         : text == "disk-read" ? std::optional(GridLimit::disk_read)
                               : std::nullopt;
}

// By --folds or --leave-out.
Validation validated_unseen(const Values& values, const std::vector<Record>& records) {
  if (values.count("folds") > 0) {
    const int folds = values["folds"].as<int>();
    try {
      return validate_by_folds(records, folds, options_for(records));
    } catch (const ModelError& error) {
      throw UsageError(fmt::format("--folds {}: {}", folds, error.what()));
    }
  }
  const auto limit =
      meant<GridLimit>(values, "leave-out", grid_limit_meant, "cpus, memory or disk-read");
  try {
    return validate_by_values(records, limit, options_for(records));
  } catch (const ModelError& error) {
    throw UsageError(
        fmt::format("--leave-out {}: {}", values["leave-out"].as<std::string>(), error.what()));
  }
}

// Every run by models that have not seen it, told by what limits it.
int validate_unseen(Context& context, const Values& values, const std::string& format) {
  const auto records = load_records(values);
  const auto all = validated_unseen(values, records);
  std::vector<std::pair<std::string, Validation>> parts;
  for (std::size_t bound = 0; bound < bound_count; ++bound) {
    auto part = limited_by(all, static_cast<Bound>(bound));
    if (!part.rows.empty()) {
      parts.emplace_back(to_string(static_cast<Bound>(bound)), std::move(part));
    }
  }
  parts.emplace_back("all", all);
  if (all.rows.empty()) {
    throw UsageError("no run can be predicted by a model that has not seen it: measure more of it");
  }
  if (!all.unpredicted.empty()) {
    context.err << fmt::format("NOTE: {} left out: no other run of their work was left to fit{}\n",
                               report::count_of(all.unpredicted.size(), "run"),
                               values.count("folds") > 0 ? "; take more folds" : "");
  }
  emit(context,
       values,
       report::rendered(for_programs(format) ? report::validation_parts_data(parts)
                                             : report::validation_parts_table(parts),
                        format,
                        context.out_style));
  const bool failed =
      values.count("max-median") > 0 && all.median_error > values["max-median"].as<double>();
  return failed ? exit_check_failed : exit_ok;
}

Options validate_options() {
  Options options("options");
  add_output_options(options);
  add_store_option(options);
  add_model_option(options);
  options.add_options()("records", po::value<std::vector<std::string>>(), "JSONL files")(
      "published", "the GPU laws against published figures that they were made without")(
      "folds",
      po::value<int>(),
      "each run by a model fitted without it, so many models in all; instead of held-out runs")(
      "leave-out",
      po::value<std::string>(),
      "cpus, memory or disk-read: each run by a model that saw no run at its value of that limit")(
      "carried",
      "every run of machines with another CPU than the model's, its speed by published figures, "
      "or by its clock where they do not name it")(
      "max-median",
      po::value<double>(),
      "exit 5 when the median error is above this share, such as 0.1");
  return options;
}

// Runs kept out of the fit, or those of other machines.
Validation validated(const Values& values) {
  const bool carried = values.count("carried") > 0;
  const auto model = load_model(model_path(values));
  const auto records = load_records(values);
  const auto validation = carried ? validate_carried(model, records, shipped_cpu_speeds())
                                  : validate_held_out(model, records);
  if (validation.rows.empty()) {
    throw UsageError(
        carried ? fmt::format("no usable run of another CPU than the model's ({})", model.cpu_model)
                : "no usable held-out run among the records: mark some with hold_out = true in the "
                  "campaign, or judge these: --folds 10 (each by a model fitted without it), "
                  "--carried (by the model of another CPU)");
  }
  return validation;
}

// The published figures come with the program: nothing else is read.
void refuse_what_is_not_read(const Values& values) {
  const auto refuse = [](const std::string& what) {
    throw UsageError(
        fmt::format("--published judges the GPU laws by figures that come with the program, and "
                    "does not read {0}; leave out {0}, or --published",
                    what));
  };
  if (values.count("records") > 0) {
    refuse(values["records"].as<std::vector<std::string>>().front());
  }
  for (const auto* option : {"db", "model"}) {
    if (values.count(option) > 0) {
      refuse(fmt::format("--{}", option));
    }
  }
}

}  // namespace

int run_validate(Context& context, const std::vector<std::string>& arguments) {
  auto options = validate_options();
  const auto values = parse(context, "validate", options, {"records..."}, arguments);
  const auto format = output_format(values, {"table", "json", "csv", "md"});
  const auto asked = values.count("published") + values.count("folds") + values.count("leave-out") +
                     values.count("carried");
  if (asked > 1) {
    throw UsageError(
        "--published, --folds, --leave-out and --carried ask different things: give one of them");
  }
  if (values.count("published") > 0) {
    refuse_what_is_not_read(values);
    return validate_published(context, values, format);
  }
  if (values.count("folds") + values.count("leave-out") > 0) {
    return validate_unseen(context, values, format);
  }
  const auto validation = validated(values);
  const auto table = for_programs(format) ? report::validation_data(validation)
                                          : report::validation_table(validation);
  emit(context,
       values,
       report::rendered(table, format, context.out_style) +
           (format == "table" ? report::validation_sentence(validation) : ""));
  const bool failed =
      values.count("max-median") > 0 && validation.median_error > values["max-median"].as<double>();
  return failed ? exit_check_failed : exit_ok;
}

}  // namespace rightsize::cli
