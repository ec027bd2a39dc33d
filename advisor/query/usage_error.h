// Wrong input by the user.
#pragma once

#include <stdexcept>

namespace rightsize {

// The message names file, line, column and field. Exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace rightsize
