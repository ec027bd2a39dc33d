// A command in a process of its own: Ctrl-C then ends the command and not the session, and what a
// command does to its process (limits, threads, signal handlers) stays there.
#pragma once

#include <string>
#include <vector>

#include "advisor/cli/command.h"

namespace rightsize::shell {

// The command's exit code; exit_interrupted when Ctrl-C ended it. Throws std::runtime_error when no
// process can be started.
[[nodiscard]] int run_in_child(cli::Context& context, const std::vector<std::string>& arguments);

}  // namespace rightsize::shell
