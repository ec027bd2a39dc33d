// Values that may not be there, as JSON has them: null, never 0 or "".
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include <boost/json.hpp>

#include "pricing/money.h"

namespace rightsize {

[[nodiscard]] inline boost::json::value or_null(const std::string& text) {
  return text.empty() ? boost::json::value(nullptr) : boost::json::value(text);
}

// JSON has no infinity: what never ends, or is not, is null.
[[nodiscard]] inline boost::json::value finite(double value) {
  return std::isfinite(value) ? boost::json::value(value) : boost::json::value(nullptr);
}

// To the last nano-unit: text, for a JSON number would pass through a double. What is quoted or
// billed is written so; what follows from estimated hours is a statistic, and a number.
[[nodiscard]] inline boost::json::object money_to_json(const Money& money) {
  return {{"amount", money.decimal()}, {"currency", money.currency()}};
}

template <typename Value>
[[nodiscard]] boost::json::value or_null(const std::optional<Value>& value) {
  return value ? boost::json::value(*value) : boost::json::value(nullptr);
}

}  // namespace rightsize
