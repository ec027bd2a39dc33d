#include "advisor/report/quality.h"

#include <cmath>

#include <fmt/format.h>

#include "advisor/report/units.h"
#include "models/predict.h"

namespace rightsize::report {
namespace {

std::string signed_percent(double share) {
  return fmt::format("{:+.1f}%", 100 * share);
}

// One decimal: errors of a few per cent are the point here.
std::string fine_percent(double share) {
  return fmt::format("{:.1f}%", 100 * share);
}

std::string plain(double value) {
  return fmt::format("{:.6g}", value);
}

std::string cross_validation_words(const Model& model) {
  if (!was_cross_validated(model)) {
    return "no run could be predicted from others, so the error is not known";
  }
  return fmt::format("cross-validated error {} median, {} P90; intervals widened by {} to hold {}",
                     fine_percent(model.cv_median_error),
                     fine_percent(model.cv_p90_error),
                     digits(model.interval_factor / normal_90),
                     percent(model.cv_coverage));
}

}  // namespace

Table parameter_table(const Model& model) {
  Table table({{"parameter"}, {"value", Align::right}, {"unit"}, {"+-", Align::right}});
  for (const auto& parameter : model.parameters) {
    table.add({parameter.name,
               digits(parameter.value),
               parameter.unit,
               percent(std::expm1(parameter.fitted_sd))});
  }
  return table;
}

Table fitted_run_table(const FitSummary& summary) {
  Table table({{"run"},
               {"measured", Align::right},
               {"fitted", Align::right},
               {"predicted unseen", Align::right},
               {"error", Align::right}});
  for (const auto& run : summary.runs) {
    const bool predicted = run.predicted > 0;
    table.add({run.name,
               digits(run.measured),
               digits(run.fitted),
               predicted ? "~" + digits(run.predicted) : "—",
               predicted ? signed_percent(run.predicted / run.measured - 1) : "—"});
  }
  return table;
}

std::string fit_text(const FitSummary& summary, const Style& style, bool wide) {
  const auto& model = summary.model;
  std::string out = style.bold(
      fmt::format("Fitted {}: {}.", number_of(model.runs, "run"), cross_validation_words(model)));
  out += fmt::format(
      "\n{} left out (held out, or without a usable throughput). {}.\n\n",
      number_of(summary.skipped, "record"),
      summary.converged ? "Converged: " + summary.reason : "NOT converged: " + summary.reason);
  out += parameter_table(model).text(style);
  if (wide) {
    out += "\n" + fitted_run_table(summary).text(style);
  }
  return out;
}

Table validation_table(const Validation& validation) {
  Table table({{"held-out run"},
               {"measured items/s", Align::right},
               {"predicted items/s", Align::right},
               {"interval", Align::right},
               {"error", Align::right},
               {"inside"}});
  for (const auto& row : validation.rows) {
    table.add({row.name,
               digits(row.measured),
               "~" + digits(row.predicted.value),
               fmt::format("{} … {}", digits(row.predicted.low), digits(row.predicted.high)),
               signed_percent(row.relative_error),
               row.inside ? "yes" : "no"});
  }
  return table;
}

std::string validation_sentence(const Validation& validation) {
  std::string sentence =
      fmt::format("{} the fit has not seen: median error {}, P90 {}, {} inside their interval.\n",
                  count_of(validation.rows.size(), "run"),
                  fine_percent(validation.median_error),
                  fine_percent(validation.p90_error),
                  percent(validation.coverage));
  if (!validation.unpredicted.empty()) {
    sentence += fmt::format("{} more could not be predicted: no fitted run is of their kind.\n",
                            validation.unpredicted.size());
  }
  return sentence;
}

Table validation_parts_table(std::span<const std::pair<std::string, Validation>> parts) {
  Table table({{"limited by"},
               {"runs", Align::right},
               {"median error", Align::right},
               {"P90 error", Align::right},
               {"inside interval", Align::right}});
  for (const auto& [name, part] : parts) {
    table.add({name,
               std::to_string(part.rows.size()),
               fine_percent(part.median_error),
               fine_percent(part.p90_error),
               percent(part.coverage)});
  }
  return table;
}

Table rate_check_table(std::span<const RateCheckRow> rows) {
  Table table({{"left out"},
               {"figures", Align::right},
               {"median error", Align::right},
               {"P90 error", Align::right},
               {"bias", Align::right},
               {"inside 90% interval", Align::right}});
  for (const auto& [left_out, errors] : rows) {
    table.add({left_out,
               std::to_string(errors.figures),
               fine_percent(errors.median_error),
               fine_percent(errors.p90_error),
               signed_percent(std::expm1(errors.bias)),
               percent(errors.coverage)});
  }
  return table;
}

Table validation_data(const Validation& validation) {
  Table table({{"held_out_run"},
               {"measured_items_per_s", Align::right},
               {"predicted_items_per_s", Align::right},
               {"low", Align::right},
               {"high", Align::right},
               {"relative_error", Align::right},
               {"inside"}});
  for (const auto& row : validation.rows) {
    table.add({row.name,
               plain(row.measured),
               plain(row.predicted.value),
               plain(row.predicted.low),
               plain(row.predicted.high),
               plain(row.relative_error),
               row.inside ? "yes" : "no"});
  }
  return table;
}

Table validation_parts_data(std::span<const std::pair<std::string, Validation>> parts) {
  Table table({{"limited_by"},
               {"runs", Align::right},
               {"median_error", Align::right},
               {"p90_error", Align::right},
               {"inside_interval", Align::right}});
  for (const auto& [name, part] : parts) {
    table.add({name,
               std::to_string(part.rows.size()),
               plain(part.median_error),
               plain(part.p90_error),
               plain(part.coverage)});
  }
  return table;
}

Table rate_check_data(std::span<const RateCheckRow> rows) {
  Table table({{"left_out"},
               {"figures", Align::right},
               {"median_error", Align::right},
               {"p90_error", Align::right},
               {"bias", Align::right},
               {"inside_interval", Align::right}});
  for (const auto& [left_out, errors] : rows) {
    table.add({left_out,
               std::to_string(errors.figures),
               plain(errors.median_error),
               plain(errors.p90_error),
               plain(std::expm1(errors.bias)),
               plain(errors.coverage)});
  }
  return table;
}

}  // namespace rightsize::report
