#include "advisor/cli/fitted_model.h"

#include <cstdlib>
#include <filesystem>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/query/usage_error.h"
#include "advisor/report/units.h"
#include "advisor/text_file.h"
#include "models/carry.h"
#include "profiler/machine.h"

namespace rightsize::cli {

Model load_model(const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::status(path, unknown).type() == std::filesystem::file_type::not_found) {
    throw UsageError(fmt::format(
        "{}: there is no fitted model yet.\n       Run rightsize campaign FILE.toml and "
        "rightsize fit, or name one with --model",
        path));
  }
  boost::system::error_code error;
  const auto value = boost::json::parse(read_file(path), error);
  if (error || !value.is_object()) {
    throw UsageError(
        fmt::format("{}: not a model: {}",
                    path,
                    error ? "not JSON: " + error.message() : "expected a JSON object"));
  }
  try {
    return model_from_json(value.as_object());
  } catch (const ModelError& what) {
    throw UsageError(fmt::format("{}: {}; run rightsize fit again", path, what.what()));
  }
}

bool nothing_fitted(const Values& values) {
  const char* named = std::getenv("RIGHTSIZE_MODEL");
  const bool chosen = values.count("model") > 0 || (named != nullptr && named[0] != '\0');
  return !chosen && !std::filesystem::exists(model_path(values));
}

Model model_or_shipped(const Values& values, std::string& note) {
  if (!nothing_fitted(values)) {
    const auto path = model_path(values);
    auto model = load_model(path);
    if (!model.knows_all_laws()) {
      note = fmt::format(
          "{} was fitted by an older rightsize, whose laws were others: rightsize fit again", path);
    }
    // Whoever fitted a program of his own asks about pictures too.
    const auto shipped = shipped_model();
    return with_data_costs_of(
        shipped, model, shipped_cpu_speeds().between(model.cpu(), shipped.cpu()));
  }
  auto model = shipped_model();
  note = fmt::format("nothing was fitted on this machine yet: the shipped model ({}, {}) stands in",
                     model.cpu_model,
                     report::number_of(model.runs, "run"));
  return model;
}

std::string elsewhere_note(const Values& values, const Model& model) {
  if (nothing_fitted(values)) {
    return "";
  }
  const auto here = describe_this_machine().cpu_model;
  if (here.empty() || model.cpu_model == here) {
    return "";
  }
  return fmt::format(
      "{} was fitted on {}, and the answer is of such vCPUs; this machine has {}, whose own model "
      "rightsize campaign and rightsize fit make",
      model_path(values),
      model.cpu_model,
      here);
}

}  // namespace rightsize::cli
