#include "profiler/throttle/unprivileged.h"

#include <fmt/format.h>

#include "profiler/throttle/cpu_choice.h"

namespace rightsize {

Unprivileged::Unprivileged(const Limits& limits, const std::string& why)
    : read_bytes_per_s_(limits.disk_read_bytes_per_s) {
  const auto choice = choose_cpus(limits.cpus, allowed_cpus());
  CPU_ZERO(&cpus_);
  for (const int cpu : choice.cpus) {
    CPU_SET(cpu, &cpus_);
    pinned_ = true;
  }
  const auto miss = [&](const char* limit, const char* detail) {
    not_imposed_.emplace_back(limit);
    notes_.push_back(fmt::format("{} limit not imposed: {} ({})", limit, detail, why));
  };
  if (choice.quota) {
    miss("cpu", "CPU affinity gives whole CPUs only");
  }
  if (limits.memory_bytes > 0) {
    miss("memory", "it needs a control group");
  }
  if (limits.disk_write_bytes_per_s > 0 || limits.disk_write_iops > 0) {
    miss("disk write", "it needs a control group");
  }
  if (limits.disk_read_iops > 0) {
    miss("disk read IOPS", "it needs a control group");
  }
  if (limits.disk_read_bytes_per_s > 0) {
    notes_.push_back(fmt::format("{} ({})", loader_note, why));
  }
}

bool Unprivileged::enter() const noexcept {
  return !pinned_ || sched_setaffinity(0, sizeof(cpus_), &cpus_) == 0;
}

}  // namespace rightsize
