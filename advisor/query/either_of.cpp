#include "advisor/query/either_of.h"

#include <algorithm>
#include <regex>
#include <string_view>

#include <fmt/format.h>

#include "advisor/query/usage_error.h"

namespace rightsize {
namespace {

constexpr std::string_view opening = "(?:";
constexpr std::string_view between = ")|(?:";

bool is_regex(const std::string& pattern) {
  try {
    static_cast<void>(std::regex(pattern));
    return true;
  } catch (const std::regex_error&) {
    return false;
  }
}

}  // namespace

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
    any += any.empty() ? opening : between;
    any += pattern;
  }
  return any.empty() ? "" : any + ")";
}

std::vector<std::string> each_of(const std::string& either) {
  if (either.empty()) {
    return {};
  }
  std::vector<std::string> patterns;
  for (auto begin = opening.size(); either.starts_with(opening) && begin < either.size();) {
    const auto end = std::min(either.find(between, begin), either.size() - 1);
    patterns.push_back(either.substr(begin, end - begin));
    begin = end + between.size();
  }
  // One that was written so by itself may have such brackets deeper down.
  const bool whole = !patterns.empty() && either.ends_with(')') &&
                     std::all_of(patterns.begin(), patterns.end(), is_regex);
  return whole ? patterns : std::vector{either};
}

}  // namespace rightsize
