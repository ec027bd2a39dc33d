// Values that may not be there, as JSON has them: null, never 0 or "".
#pragma once

#include <optional>
#include <string>

#include <boost/json.hpp>

namespace rightsize {

[[nodiscard]] inline boost::json::value or_null(const std::string& text) {
  return text.empty() ? boost::json::value(nullptr) : boost::json::value(text);
}

template <typename Value>
[[nodiscard]] boost::json::value or_null(const std::optional<Value>& value) {
  return value ? boost::json::value(*value) : boost::json::value(nullptr);
}

}  // namespace rightsize
