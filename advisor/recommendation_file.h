// A saved answer, read back: the document of `advise -o json`, so that a report of it needs neither
// the records nor the prices it was made from.
#pragma once

#include <string>

#include "advisor/recommendation.h"

namespace rightsize {

// `text` is a document of schema rightsize/recommendation/1; unknown fields are ignored, as the
// version allows. What the document does not carry (ties, the query's file) stays empty. Values are
// checked as the schema bounds them, and against each other: estimates inside their intervals, one
// currency, a rank for each option. Throws UsageError "name: options[3].cost.value: expected a
// number above 0".
[[nodiscard]] Recommendation read_recommendation(const std::string& text, const std::string& name);

}  // namespace rightsize
