#include "advisor/way_out/nothing_satisfies.h"

#include <algorithm>

#include <fmt/format.h>

namespace rightsize {

std::string nothing_words(const Recommendation& answer, const std::string& so) {
  std::string text = "nothing can do this job at all, so " + so;
  const auto most = std::max_element(
      answer.rejected.begin(), answer.rejected.end(), [](const Rejection& a, const Rejection& b) {
        return a.count < b.count;
      });
  if (most != answer.rejected.end()) {
    std::size_t offers = 0;
    for (const auto& rejection : answer.rejected) {
      offers += rejection.count;
    }
    text += fmt::format("; of {} offers {}: {}", offers, most->count, most->reason);
  }
  constexpr const char* next_line = "\n       ";
  for (const auto& way_out : answer.warnings) {
    text += next_line + way_out;
  }
  return text + next_line + "rightsize advise counts all reasons";
}

}  // namespace rightsize
