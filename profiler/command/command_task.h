// The user's program as a Task: each step() waits until it has made one.
#pragma once

#include <memory>

#include "profiler/measure/task.h"

namespace rightsize {

// Starts the program and waits for the first sign of a step: what comes before it (loading,
// compiling) is no part of the measurement. Throws std::runtime_error, with the end of what the
// program printed, when it cannot be started, fails, or ends without a step.
[[nodiscard]] std::unique_ptr<Task> make_command_task(const RunSpec& spec);

}  // namespace rightsize
