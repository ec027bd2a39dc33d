// The user's program as a child of the worker: started, listened to, ended with all its offspring.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace rightsize {

// What one descriptor delivered.
struct Heard {
  std::string output;    // stdout and stderr, as they came
  std::string protocol;  // descriptor RIGHTSIZE_STEP_FD
};

class ChildProgram {
 public:
  // Starts it with `variables` ("NAME=value") added to this process's environment, its input
  // closed. Throws std::runtime_error when it cannot be executed.
  ChildProgram(const std::vector<std::string>& words, const std::vector<std::string>& variables);
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;
  // Asks it to end (SIGTERM), waits up to two seconds, then kills it and its descendants.
  ~ChildProgram();

  [[nodiscard]] pid_t pid() const { return pid_; }

  // Waits up to `wait_s` for output, and returns what there is.
  [[nodiscard]] Heard listen(double wait_s);

  // The status as waitpid(2) gives it once it has ended and all it said was heard.
  [[nodiscard]] std::optional<int> ended();

 private:
  bool reap(bool block);

  pid_t pid_ = -1;
  int output_ = -1;
  int protocol_ = -1;
  std::optional<int> status_;
};

// The descriptor that a program writes the line protocol to.
inline constexpr int step_fd = 5;

// Descendants whose parents ended become children of this process, not of init, so that they can
// be found and killed.
void adopt_orphans();

}  // namespace rightsize
