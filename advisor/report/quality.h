// How good the model is, rendered: parameters, residuals, predicted against measured.
#pragma once

#include <span>
#include <string>

#include "advisor/report/style.h"
#include "advisor/report/table.h"
#include "models/fit.h"
#include "models/rate_errors.h"
#include "models/validate.h"

namespace rightsize::report {

[[nodiscard]] Table parameter_table(const Model& model);
[[nodiscard]] Table fitted_run_table(const FitSummary& summary);
[[nodiscard]] std::string fit_text(const FitSummary& summary, const Style& style, bool wide);

[[nodiscard]] Table validation_table(const Validation& validation);
// The same with plain numbers, an error being a share: what programs read.
[[nodiscard]] Table validation_data(const Validation& validation);
[[nodiscard]] std::string validation_sentence(const Validation& validation);

// Published figures predicted without themselves: a row per way of leaving out and regime.
// Figures by part, a line each.
[[nodiscard]] Table validation_parts_table(
    std::span<const std::pair<std::string, Validation>> parts);
[[nodiscard]] Table validation_parts_data(
    std::span<const std::pair<std::string, Validation>> parts);

struct RateCheckRow {
  std::string left_out;
  RateErrors errors;
};
[[nodiscard]] Table rate_check_table(std::span<const RateCheckRow> rows);
[[nodiscard]] Table rate_check_data(std::span<const RateCheckRow> rows);

}  // namespace rightsize::report
