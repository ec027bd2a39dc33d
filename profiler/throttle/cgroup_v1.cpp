// Controllers: Documentation/admin-guide/cgroup-v1 of the Linux kernel.
#include "profiler/throttle/cgroup_v1.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "profiler/throttle/cpu_choice.h"

namespace rightsize {
namespace {

constexpr double nanosecond = 1e-9;

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

}  // namespace

CgroupV1::CgroupV1(const Limits& limits,
                   const CgroupLayout& layout,
                   const std::optional<BlockDevice>& disk) {
  limit_cpu(limits.cpus, layout);
  limit_memory(limits.memory_bytes, layout);
  limit_disk(limits, layout, disk);
  for (auto& [mount, group] : groups_) {
    group.open_members();
  }
}

CgroupGroup& CgroupV1::make(const std::string& controller, const CgroupLayout& layout) {
  const auto& mount = layout.v1.at(controller);
  mounts_.emplace(controller, mount);
  const auto [place, made] = groups_.try_emplace(mount, mount);
  auto& group = place->second;
  if (made && layout.has_v1("cpuset") && layout.v1.at("cpuset") == mount) {
    // A cpuset takes no members before it has memory nodes and CPUs.
    group.write("cpuset.mems", first_line(mount + "/cpuset.mems"));
    static_cast<void>(group.try_write("cpuset.cpus", first_line(mount + "/cpuset.cpus")));
  }
  return group;
}

void CgroupV1::miss(const std::string& limit, const std::string& why) {
  not_imposed_.push_back(limit);
  notes_.push_back(fmt::format("{} limit not imposed: {}", limit, why));
}

void CgroupV1::limit_cpu(double cpus, const CgroupLayout& layout) {
  if (layout.has_v1("cpuacct")) {
    make("cpuacct", layout);  // counts, limits nothing
  }
  auto choice = choose_cpus(cpus, allowed_cpus());
  if (!choice.cpus.empty() && layout.has_v1("cpuset")) {
    make("cpuset", layout).write("cpuset.cpus", cpu_list(choice.cpus));
  } else if (!choice.cpus.empty()) {
    choice.quota = true;
  }
  if (!choice.quota) {
    return;
  }
  if (!layout.has_v1("cpu")) {
    miss("cpu", "the cpu controller is not mounted or not writable");
    return;
  }
  auto& group = make("cpu", layout);
  const auto quota = cpu_quota(cpus);
  group.write("cpu.cfs_period_us", std::to_string(quota.period_us));
  group.write("cpu.cfs_quota_us", std::to_string(quota.quota_us));
}

void CgroupV1::limit_memory(std::uint64_t bytes, const CgroupLayout& layout) {
  if (!layout.has_v1("memory")) {
    if (bytes > 0) {
      miss("memory", "the memory controller is not mounted or not writable");
    }
    return;
  }
  auto& group = make("memory", layout);  // also without a limit: it counts the page cache
  if (bytes == 0) {
    return;
  }
  group.write("memory.limit_in_bytes", std::to_string(bytes));
  // Memory and swap together; the file exists only where swap is accounted.
  if (!group.try_write("memory.memsw.limit_in_bytes", std::to_string(bytes))) {
    static_cast<void>(group.try_write("memory.swappiness", "0"));
  }
}

void CgroupV1::limit_disk(const Limits& limits,
                          const CgroupLayout& layout,
                          const std::optional<BlockDevice>& disk) {
  struct Row {
    const char* limit;
    double value;
    const char* file;
  };
  const Row rows[] = {
      {"disk read", limits.disk_read_bytes_per_s, "blkio.throttle.read_bps_device"},
      {"disk write", limits.disk_write_bytes_per_s, "blkio.throttle.write_bps_device"},
      {"disk read IOPS", limits.disk_read_iops, "blkio.throttle.read_iops_device"},
      {"disk write IOPS", limits.disk_write_iops, "blkio.throttle.write_iops_device"}};
  for (const auto& row : rows) {
    if (row.value <= 0) {
      continue;
    }
    const bool possible = layout.has_v1("blkio") && disk;
    if (!possible && &row == &rows[0]) {
      read_bytes_per_s_ = row.value;
      notes_.emplace_back(loader_note);
    } else if (!layout.has_v1("blkio")) {
      miss(row.limit, "the blkio controller is not mounted or not writable");
    } else if (!disk) {
      miss(row.limit, "the data is on no block device of its own (tmpfs, network?)");
    } else {
      // On the leaf only: in v1 these limits are not inherited.
      make("blkio", layout).write(row.file, fmt::format("{} {:.0f}", disk->number, row.value));
    }
  }
  const bool limits_writes = limits.disk_write_bytes_per_s > 0 || limits.disk_write_iops > 0;
  if (limits_writes && layout.has_v1("blkio") && disk) {
    notes_.emplace_back(
        "disk write limit holds for direct and synchronous writes only: cgroup v1 does not charge "
        "buffered writeback to the group");
  }
}

bool CgroupV1::enter() const noexcept {
  return std::all_of(
      groups_.begin(), groups_.end(), [](const auto& entry) { return entry.second.join(); });
}

const CgroupGroup* CgroupV1::group(const std::string& controller) const {
  const auto mount = mounts_.find(controller);
  return mount == mounts_.end() ? nullptr : &groups_.at(mount->second);
}

Usage CgroupV1::usage() const {
  Usage usage;
  if (const auto* cpuacct = group("cpuacct")) {
    if (const auto used = cpuacct->read_number("cpuacct.usage")) {
      usage.cpu_s = static_cast<double>(*used) * nanosecond;
    }
  }
  if (const auto* cpu = group("cpu")) {
    auto stat = cpu->read_table("cpu.stat");
    usage.periods = stat["nr_periods"];
    usage.throttled_periods = stat["nr_throttled"];
  }
  if (const auto* memory = group("memory")) {
    usage.memory_peak_bytes = memory->read_number("memory.max_usage_in_bytes");
    auto stat = memory->read_table("memory.stat");
    if (stat.contains("cache")) {
      usage.cache_bytes = stat["cache"];
    }
    usage.oom_kills = memory->read_table("memory.oom_control")["oom_kill"];
    usage.memory_limit_hits = memory->read_number("memory.failcnt").value_or(0);
  }
  return usage;
}

}  // namespace rightsize
