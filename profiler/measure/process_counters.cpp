#include "profiler/measure/process_counters.h"

#include <fstream>
#include <string>

#include <sys/resource.h>

namespace rightsize {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

ProcessCounters read_process_counters() {
  ProcessCounters counters;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  counters.cpu_s = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  std::ifstream in("/proc/self/io");
  std::string key;
  for (std::uint64_t value = 0; in >> key >> value;) {
    if (key == "read_bytes:") {
      counters.disk_read_bytes = value;
    } else if (key == "write_bytes:") {
      counters.disk_written_bytes = value;
    }
  }
  return counters;
}

}  // namespace rightsize
