// The worker as a child process under a throttle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "profiler/throttle/throttle.h"

namespace rightsize {

struct WorkerCommand {
  std::string executable = "/proc/self/exe";
  std::vector<std::string> arguments = {"worker"};
  std::vector<std::string> environment;  // "NAME=value", on top of this process's own
};

// Move-nothing: the child is killed and reaped with the object, so none outlives its run.
class WorkerProcess {
 public:
  // Forks, enters the throttle, executes. Throws std::runtime_error when the kernel refuses.
  WorkerProcess(const WorkerCommand& command, const Throttle& throttle);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess();

  [[nodiscard]] pid_t pid() const { return pid_; }

  // Writes the whole text and closes the worker's input.
  void send(const std::string& text);

  // The next lines of the worker, waiting up to `wait_s`; nullopt at the end of its output.
  [[nodiscard]] std::optional<std::vector<std::string>> receive(double wait_s);

  void kill_now();
  // Reaps it; the status as waitpid(2) gives it.
  int wait();

  // The end of what it printed on stdout and stderr.
  [[nodiscard]] std::string last_words() const;

 private:
  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  int words_ = -1;  // an anonymous file
  bool reaped_ = false;
  std::string partial_;
};

}  // namespace rightsize
