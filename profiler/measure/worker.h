// The process that does the measured work, and nothing else: `rightsize worker` (hidden).
//
// A RunSpec comes in as JSON until end of file; JSON lines go out, one event each:
//   {"event": "ready", ...TaskInfo}     everything is loaded, the first step comes next
//   {"event": "window", ...RunWindow}      see window.h
//   {"event": "done", "noisy", "reason", "warmup_s", "cold_items_per_s"}
//   {"event": "error", "kind": "unsupported" | "out_of_memory" | "failed", "message"}
#pragma once

#include "profiler/measure/task.h"

namespace rightsize {

// The descriptors that the parent hands to its worker; stdout is left to libraries that print.
inline constexpr int worker_in_fd = 0;
inline constexpr int worker_out_fd = 3;

// Returns the exit code: 0 after "done", 1 after "error".
[[nodiscard]] int run_worker(int in_fd, int out_fd, const TaskFactory& factory);
[[nodiscard]] int run_worker(int in_fd, int out_fd);  // with make_task()

}  // namespace rightsize
