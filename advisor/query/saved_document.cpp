#include "advisor/query/saved_document.h"

#include <regex>

#include <fmt/format.h>

namespace rightsize {

std::string saved_document(const std::string& text, const std::string& path) {
  static const std::regex begin(R"re(\s*\{\s*"schema"\s*:\s*"(rightsize/[a-z-]+/[0-9]+)")re");
  constexpr std::size_t enough = 400;  // std::regex would run out of stack on a long enough text
  const auto head = text.substr(0, enough);
  std::smatch found;
  if (!std::regex_search(head, found, begin, std::regex_constants::match_continuous)) {
    return "";
  }
  const auto schema = found[1].str();
  return schema == "rightsize/recommendation/1"
             ? fmt::format(
                   "{0}: this is an answer that rightsize advise saved, and not a job file; "
                   "give the job file it is the answer to, or see it with rightsize report "
                   "{0}",
                   path)
             : fmt::format(
                   "{}: this is what rightsize wrote as JSON ({}), and not a job file; give "
                   "the job file it was asked with",
                   path,
                   schema);
}

}  // namespace rightsize
