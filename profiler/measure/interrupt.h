// Ctrl-C, SIGTERM and a closed terminal (SIGHUP) as a count that loops look at, so that every exit
// path cleans up.
#pragma once

#include <stdexcept>

#include <signal.h>

namespace rightsize {

// A run or a campaign was stopped by the user; the program exits with 130.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// While it lives, SIGINT, SIGTERM and SIGHUP are counted instead of ending the process. Scopes
// nest; the count starts anew with the outermost.
class InterruptScope {
 public:
  InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;
  ~InterruptScope();

  [[nodiscard]] static int count();

 private:
  struct sigaction old_int_ {};
  struct sigaction old_term_ {};
  struct sigaction old_hup_ {};
};

}  // namespace rightsize
