#include "advisor/query/either_of.h"

#include <regex>

#include <fmt/format.h>

#include "advisor/query/query.h"

namespace rightsize {

std::string either_of(const std::vector<std::string>& patterns, const char* of) {
  if (patterns.size() < 2) {
    return patterns.empty() ? "" : patterns.front();
  }
  static const std::regex back_reference(R"(\\[1-9])");
  std::string any;
  for (const auto& pattern : patterns) {
    if (pattern.empty()) {
      continue;  // alone it asks for nothing either
    }
    if (std::regex_search(pattern, back_reference)) {
      throw UsageError(fmt::format(
          "{} \"{}\": of several patterns none can refer back to its groups; write it alone, or as "
          "one with the others",
          of,
          pattern));
    }
    try {
      static_cast<void>(std::regex(pattern));  // "a(" and "b)" would only be one together
    } catch (const std::regex_error& error) {
      throw UsageError(
          fmt::format("{} \"{}\" is not a regular expression: {}", of, pattern, error.what()));
    }
    any += (any.empty() ? "(?:" : "|(?:") + pattern + ")";
  }
  return any;
}

}  // namespace rightsize
