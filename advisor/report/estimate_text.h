// An answer to predict as people and programs read it.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/fwd.hpp>

#include "advisor/estimator.h"
#include "advisor/report/style.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// "ok", "out_of_memory", "unsupported".
[[nodiscard]] std::string_view status_word(Verdict verdict);

// Bounds and busy shares of every resource.
[[nodiscard]] Table bounds_table(const Prediction& prediction, const std::string& unit);
[[nodiscard]] boost::json::object bounds_to_json(const Prediction& prediction);

// The answer first, then the bounds, then what it leans on.
[[nodiscard]] std::string estimate_text(const Configuration& asked,
                                        const Answer& answer,
                                        const Style& style);

// A refused answer as one row: status and reason.
[[nodiscard]] Table refusal_table(const Answer& answer);

// Schema rightsize/estimate/1; of a refused answer its status and reason.
[[nodiscard]] boost::json::object estimate_to_json(const Answer& answer);

}  // namespace rightsize::report
