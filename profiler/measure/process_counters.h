// What this process has used so far, from getrusage(2) and /proc/self/io.
#pragma once

#include <cstdint>

namespace rightsize {

struct ProcessCounters {
  double cpu_s = 0;  // user and system
  std::uint64_t disk_read_bytes = 0;
  std::uint64_t disk_written_bytes = 0;
};

[[nodiscard]] ProcessCounters read_process_counters();

}  // namespace rightsize
