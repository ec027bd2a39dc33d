// That nothing satisfies what was asked for, where a command needs something that does.
#pragma once

#include "advisor/query/query.h"

namespace rightsize {

// No mistake of the user's, but an answer: exit code 3, as advise has there. what() is a whole
// sentence.
class NothingSatisfies : public UsageError {
 public:
  using UsageError::UsageError;
};

}  // namespace rightsize
