// What a process and all its descendants use together, from /proc.
#pragma once

#include <cstdint>
#include <vector>

#include <sys/types.h>

namespace rightsize {

struct TreeUsage {
  int processes = 0;                  // 0: it is gone
  double cpu_s = 0;                   // user and system, ended and reaped children included
  std::uint64_t rss_bytes = 0;        // a page that two processes share counts twice
  std::uint64_t anonymous_bytes = 0;  // RssAnon + RssShmem
  std::uint64_t disk_read_bytes = 0;  // from the device, ended and reaped children included
  std::uint64_t disk_written_bytes = 0;
  std::uint64_t read_calls_bytes = 0;  // by read(2) and its like, cached bytes too
};

[[nodiscard]] TreeUsage read_process_tree(pid_t root);
// The same without `root` itself.
[[nodiscard]] TreeUsage read_descendants(pid_t root);

// Children, their children and so on, parents first; `root` itself is not among them.
[[nodiscard]] std::vector<pid_t> descendants_of(pid_t root);

// Kills all descendants of `root`, those included that they make meanwhile. `root` must be the
// caller, or stopped: it adopts orphans (PR_SET_CHILD_SUBREAPER), so that none gets away.
void kill_descendants(pid_t root);

}  // namespace rightsize
