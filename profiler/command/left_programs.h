// Processes of a program whose run was killed (kill -9) before it could end them, where no cgroup
// holds them together: the program itself dies with its worker, its children do not.
#pragma once

#include <string>

#include <sys/types.h>

namespace rightsize {

// "RIGHTSIZE_SUPERVISOR=...", for the environment of a program that `supervisor` is to see end: a
// mark that its children inherit. Names the process by its number, when it started, and the
// namespace that numbers it.
[[nodiscard]] std::string supervisor_variable(pid_t supervisor);

// Kills the processes that bear the mark of a supervisor that is no more, as far as this user may;
// how many there were.
int kill_left_programs();

}  // namespace rightsize
