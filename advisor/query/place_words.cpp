#include "advisor/query/place_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/query/usage_error.h"

namespace rightsize {

std::vector<std::string> checked_places(std::vector<std::string> patterns,
                                        const std::string& what) {
  for (const auto& pattern : patterns) {
    const auto slashes = std::count(pattern.begin(), pattern.end(), '/');
    const bool several = pattern.find(',') != std::string::npos;
    if (pattern.empty() || several || slashes > 1 || pattern.starts_with('/') ||
        pattern.ends_with('/')) {
      throw UsageError(fmt::format(
          "{} \"{}\": expected one PROVIDER or PROVIDER/REGION, such as aws, aws/us-east-1 or "
          "'gcp/us-*'{}",
          what,
          pattern,
          several ? "; of several each is given by itself" : ""));
    }
  }
  return patterns;
}

}  // namespace rightsize
