#include "models/fit.h"

#include <algorithm>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/cli/baseline.h"
#include "advisor/cli/command.h"
#include "advisor/cli/evidence.h"
#include "advisor/cli/fitting.h"
#include "advisor/report/quality.h"
#include "advisor/report/units.h"
#include "kernels/networks/program.h"
#include "models/validate.h"
#include "profiler/block_device.h"
#include "profiler/command/user_command.h"

namespace rightsize::cli {
namespace {

namespace po = boost::program_options;

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

// How a program of the user's is asked for now.
void show_programs(Context& context, const Model& model) {
  for (const auto& [name, cpus] : model.programs) {
    context.err << fmt::format(
        "Next: rightsize predict --network {} --machine aws/m6i.xlarge; in job files of advise "
        "network = \"{}\" under [job] is it alone, loader = \"{}\" under [data] what feeds GPUs\n",
        shell_line({as_network(name)}),
        as_network(name),
        name);
  }
}

}  // namespace

FitOptions fit_options_for(const std::vector<Record>& records) {
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

// Where the runs of what is fitted disagree with one another far more than those of the model that
// comes with the program do, whoever goes by it should know.
void warn_of_scatter(Context& context, const Model& fitted, const std::string& path, bool named) {
  constexpr double far = 0.10;
  const auto shipped = shipped_model();
  if (!was_cross_validated(fitted) || fitted.cv_median_error < far ||
      fitted.cv_median_error < 2 * shipped.cv_median_error) {
    return;
  }
  context.err << context.err_style.bad("warning:")
              << fmt::format(
                     " this model is {:.1f} % off the runs it did not see, at the median; the one "
                     "that came with the program {:.1f} % off its own. Was the machine busy? "
                     "Measure again on an idle one; answers use this model {}\n",
                     100 * fitted.cv_median_error,
                     100 * shipped.cv_median_error,
                     named ? "where --model " + path + " says so" : "while " + path + " is there");
}

int run_fit(Context& context, const std::vector<std::string>& arguments) {
  Options options("options");
  add_output_options(options);
  add_store_option(options);
  add_model_option(options);
  options.add_options()("records", po::value<std::vector<std::string>>(), "JSONL files");
  const auto values = parse(context, "fit", options, {"records..."}, arguments);
  const auto format = output_format(values, {"table", "wide", "json", "csv", "md"});
  const auto records = load_records(values);
  const auto summary = fit(records, fit_options_for(records));
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
  warn_of_scatter(context, summary.model, path, values.count("model") > 0);
  context.err << "model -> " << path << "\n";
  show_programs(context, summary.model);
  return exit_ok;
}

}  // namespace rightsize::cli
