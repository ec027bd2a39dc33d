// validate: the model against runs it has not seen, and the GPU laws against published figures.
#include "models/validate.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/cli/asked.h"
#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/cli/fitted_model.h"
#include "advisor/cli/fitting.h"
#include "advisor/cli/flag_word.h"
#include "advisor/cli/progress.h"
#include "advisor/report/quality.h"
#include "advisor/report/units.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

// CSV and JSON hold plain numbers; people read tables.
bool for_programs(const std::string& format) {
  return format == "csv" || format == "json";
}

// Before what takes minutes: a check that can only pass, or only fail, is none.
void check_max_median(const Values& values) {
  if (values.count("max-median") == 0) {
    return;
  }
  const double most = values["max-median"].as<double>();
  if (!(most >= 0) || std::isinf(most)) {
    throw UsageError(
        fmt::format("--max-median {:g}: expected a share that is not negative, such as 0.1", most));
  }
}

bool exceeds_median(const Values& values, double median_error) {
  return values.count("max-median") > 0 && median_error > values["max-median"].as<double>();
}

// By what is left out, then all of these by how far the figures were and whose libraries ran.
std::vector<report::RateCheckRow> published_rows(Context& context) {
  const auto tables = shipped_rate_tables();
  ProgressLine progress(context.err, context.err_is_terminal);
  std::vector<report::RateCheckRow> rows;
  std::map<std::pair<RateRegime, Stack>, std::vector<RateCheck>> by_regime;
  for (const auto& [left_out, name] : {std::pair{LeaveOut::gpu, "GPU"},
                                       std::pair{LeaveOut::network, "network"},
                                       std::pair{LeaveOut::both, "both"},
                                       std::pair{LeaveOut::curve, "curve over the batch"},
                                       std::pair{LeaveOut::publisher, "publisher"}}) {
    progress.show(fmt::format("each of {} told without its {}",
                              report::count_of(tables.figures.size(), "figure"),
                              left_out == LeaveOut::both ? "GPU and its network" : name));
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
  const auto rows = published_rows(context);
  emit(context,
       values,
       report::rendered(
           for_programs(format) ? report::rate_check_data(rows) : report::rate_check_table(rows),
           format,
           context.out_style));
  return exceeds_median(values, rows.front().errors.median_error) ? exit_check_failed : exit_ok;
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
      return validate_by_folds(records, folds, fit_options_for(records));
    } catch (const ModelError& error) {
      throw UsageError(fmt::format("--folds {}: {}", folds, error.what()));
    }
  }
  const auto limit =
      meant<GridLimit>(values, "leave-out", grid_limit_meant, "cpus, memory or disk-read");
  try {
    return validate_by_values(records, limit, fit_options_for(records));
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
  return exceeds_median(values, all.median_error) ? exit_check_failed : exit_ok;
}

Options validate_options() {
  Options options("options");
  add_output_options(options);
  add_store_option(options);
  add_model_option(options);
  options.add_options()("records", po::value<std::vector<std::string>>(), "JSONL files")(
      "published",
      "the GPU laws against published figures that they were made without; takes a minute or two")(
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

// The model that comes with the program can be judged by runs, but by none that come with it: so
// what to type is said, that answers.
void refuse_to_judge_nothing(const Values& values) {
  if (values.count("records") == 0 && !std::filesystem::exists(store_path(values))) {
    throw UsageError(fmt::format(
        "nothing was fitted on this machine yet, and no runs were measured on it ({} is not "
        "there).\n       The model that comes with the program is judged by: rightsize validate "
        "--published (its GPU laws), or by runs: rightsize validate RUNS.jsonl, such as the "
        "project's own examples/measurements/demo.jsonl; yours begins with: rightsize campaign "
        "FILE.toml && rightsize fit",
        store_path(values)));
  }
}

// Held-out runs are of the model's own machine; of another the carried model is judged.
void refuse_other_machines(const Model& model, const std::vector<Record>& records) {
  const bool own = std::any_of(records.begin(), records.end(), [&](const Record& record) {
    return record.machine.cpu_model == model.cpu_model;
  });
  if (!own && !records.empty()) {
    throw UsageError(fmt::format(
        "nothing was fitted on this machine yet, and the model that comes with the program is of "
        "another CPU ({}) than these runs ({}): rightsize fit makes one of them, and --carried "
        "judges that one by them",
        model.cpu_model,
        records.front().machine.cpu_model));
  }
}

// Runs kept out of the fit, or those of other machines.
Validation validated(Context& context, const Values& values) {
  const bool carried = values.count("carried") > 0;
  const bool shipped = nothing_fitted(values);
  if (shipped) {
    refuse_to_judge_nothing(values);
  }
  const auto model = shipped ? shipped_model() : load_model(model_path(values));
  const auto records = load_records(values);
  if (shipped) {
    if (!carried) {
      refuse_other_machines(model, records);
    }
    context.err << context.err_style.bad("note:")
                << " nothing was fitted on this machine yet: this judges the model that comes with "
                   "the program\n";
  }
  const auto validation = carried ? validate_carried(model, records, shipped_cpu_speeds())
                                  : validate_held_out(model, records);
  if (validation.rows.empty()) {
    throw UsageError(
        carried ? fmt::format("no usable run of another CPU than the model's ({})", model.cpu_model)
                : "no usable held-out run among the records: mark some with hold_out = true in the "
                  "campaign and run it again (it measures nothing twice), or judge these: "
                  "--folds 10 (each by a model fitted without it), --carried (by the model of "
                  "another CPU)");
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
  check_max_median(values);
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
  const auto validation = validated(context, values);
  const auto table = for_programs(format) ? report::validation_data(validation)
                                          : report::validation_table(validation);
  emit(context,
       values,
       report::rendered(table, format, context.out_style) +
           (format == "table" ? report::validation_sentence(validation) : ""));
  return exceeds_median(values, validation.median_error) ? exit_check_failed : exit_ok;
}

}  // namespace rightsize::cli
