// An answer to predict as people and programs read it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "advisor/machine/estimator.h"
#include "advisor/report/style.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// "ok", "out_of_memory", "unsupported".
[[nodiscard]] std::string_view status_word(Verdict verdict);

// Bounds and busy shares of every resource.
[[nodiscard]] Table bounds_table(const Prediction& prediction, const std::string& unit);
[[nodiscard]] boost::json::object bounds_to_json(const Prediction& prediction);

// "recordio data"; of a model that makes pictures "prompts".
[[nodiscard]] std::string data_words(const Configuration& asked);

// The answer first, then the bounds, then what it leans on.
[[nodiscard]] std::string estimate_text(const Configuration& asked,
                                        const Answer& answer,
                                        const Style& style);

// What to ask instead, in one line with its end; "" where nothing is known to do.
[[nodiscard]] std::string way_out_line(const std::vector<std::string>& ways_out);

// A refused answer as one row: status and reason. As lines for people: the reason, and the way out.
// As a document of that schema: both too.
[[nodiscard]] Table refusal_table(const Answer& answer);
[[nodiscard]] std::string refusal_text(const Answer& answer);
[[nodiscard]] boost::json::object refusal_to_json(const char* schema, const Answer& answer);

// Schema rightsize/estimate/1; of a refused answer refusal_to_json().
[[nodiscard]] boost::json::object estimate_to_json(const Configuration& asked,
                                                   const Answer& answer);

}  // namespace rightsize::report
