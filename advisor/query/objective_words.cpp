#include "advisor/query/objective_words.h"

#include <fmt/format.h>

namespace rightsize {

std::string tie_words(const Objective& objective, const std::string& other) {
  return fmt::format("cannot be told apart from {} on {}",
                     other,
                     objective == Objective{} ? "cost" : "the objective, " + to_string(objective));
}

std::string time_words(const Query& query) {
  if (!query.serves() || query.objective.time == 0) {
    return "";
  }
  return fmt::format(
      "time in the objective is {}, by the fewest machines that are in time with {:.4g}% "
      "confidence; more of them would be sooner",
      query.tokens ? "how soon 99 of 100 sequences have their last token"
                   : "the p99, how soon 99 of 100 requests are answered",
      100 * query.confidence);
}

}  // namespace rightsize
