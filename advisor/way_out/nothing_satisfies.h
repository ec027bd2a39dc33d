// That nothing satisfies what was asked for, where a command needs something that does.
#pragma once

#include <string>

#include "advisor/query/usage_error.h"
#include "advisor/recommendation.h"

namespace rightsize {

// No mistake of the user's, but an answer: exit code 3, as advise has there. what() is a whole
// sentence.
class NothingSatisfies : public UsageError {
 public:
  using UsageError::UsageError;
};

// Why, of an answer without options: what most offers failed by, and what to ask instead where it
// knows. `so`: "there is nothing to explain".
[[nodiscard]] std::string nothing_words(const Recommendation& answer, const std::string& so);

}  // namespace rightsize
