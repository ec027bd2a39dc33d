// Processes of a program whose run was killed (kill -9) before it could end them, where no cgroup
// holds them together: the program itself dies with its worker, its children do not.
#pragma once

#include <filesystem>
#include <string>

#include <sys/types.h>

namespace rightsize {

// "RIGHTSIZE_SUPERVISOR=...", for the environment of a program that `supervisor` is to see end: a
// mark that its children inherit. Names the process by its number and when it started, and what
// these are counted in: the boot of a machine, its namespaces of numbers and of time.
[[nodiscard]] std::string supervisor_variable(pid_t supervisor);

// That a supervisor is at work: a file that its end removes, unless it is killed. What outlives a
// supervisor that ended (a job that a program has handed to a batch system, with its environment)
// is the user's.
class ProgramLease {
 public:
  explicit ProgramLease(pid_t supervisor);
  ProgramLease(const ProgramLease&) = delete;
  ProgramLease& operator=(const ProgramLease&) = delete;
  ~ProgramLease();

 private:
  std::filesystem::path file_;
};

// Kills the processes of this machine that bear the mark of a supervisor that is known to be no
// more and has left its lease, as far as this user may; how many there were. Spared are the caller,
// those that it descends from, and all whose supervisor cannot be looked at. Removes such leases.
int kill_left_programs();

}  // namespace rightsize
