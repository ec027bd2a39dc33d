#include "advisor/query/either_of.h"

#include <regex>

#include <fmt/format.h>

#include "advisor/query/query.h"

namespace rightsize {

std::string either_of(const std::vector<std::string>& patterns, const char* of) {
  if (patterns.size() < 2) {
    return patterns.empty() ? "" : patterns.front();
  }
  std::string any;
  for (const auto& pattern : patterns) {
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
