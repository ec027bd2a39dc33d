// Interface: Documentation/admin-guide/cgroup-v2.rst of the Linux kernel.
#include "profiler/throttle/cgroup_v2.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "profiler/throttle/cpu_choice.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;

constexpr double microsecond = 1e-6;

std::set<std::string> words_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istream_iterator<std::string>(in), {}};
}

// One write per controller: "+a +b" is all or nothing, and some may be on already.
bool switch_on(const fs::path& node, const std::set<std::string>& controllers) {
  const auto available = words_of(node / "cgroup.controllers");
  for (const auto& controller : controllers) {
    if (words_of(node / "cgroup.subtree_control").contains(controller)) {
      continue;
    }
    if (!available.contains(controller)) {
      return false;
    }
    const auto value = "+" + controller;
    const int file = open((node / "cgroup.subtree_control").c_str(), O_WRONLY | O_CLOEXEC);
    const bool written =
        file >= 0 && write(file, value.data(), value.size()) == static_cast<ssize_t>(value.size());
    if (file >= 0) {
      close(file);
    }
    if (!written) {
      return false;
    }
  }
  return true;
}

// From the root down to the parent of our own group; nearest to us last.
std::vector<fs::path> candidates(const CgroupLayout& layout) {
  std::vector<fs::path> nodes{layout.v2};
  const auto relative = fs::path(layout.v2_self).lexically_relative(layout.v2).parent_path();
  fs::path node = layout.v2;
  for (const auto& step : relative) {
    if (step != "." && step != "..") {
      node /= step;
      nodes.push_back(node);
    }
  }
  return nodes;
}

}  // namespace

std::set<std::string> v2_controllers_for(const Limits& limits) {
  std::set<std::string> needed;
  const auto choice = choose_cpus(limits.cpus, allowed_cpus());
  if (choice.quota) {
    needed.insert("cpu");
  }
  if (!choice.cpus.empty()) {
    needed.insert("cpuset");
  }
  if (limits.memory_bytes > 0) {
    needed.insert("memory");
  }
  if (limits.disk_read_bytes_per_s > 0 || limits.disk_write_bytes_per_s > 0 ||
      limits.disk_read_iops > 0 || limits.disk_write_iops > 0) {
    needed.insert("io");
  }
  return needed;
}

std::optional<std::string> find_v2_parent(const CgroupLayout& layout,
                                          const std::set<std::string>& controllers,
                                          std::string& reason) {
  if (layout.v2.empty()) {
    reason = "no cgroup v2 is mounted";
    return std::nullopt;
  }
  if (!std::includes(layout.v2_controllers.begin(),
                     layout.v2_controllers.end(),
                     controllers.begin(),
                     controllers.end())) {
    reason = fmt::format("cgroup v2 has [{}], needed are [{}]",
                         fmt::join(layout.v2_controllers, " "),
                         fmt::join(controllers, " "));
    return std::nullopt;
  }
  auto nodes = candidates(layout);
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if (access(node->c_str(), W_OK) == 0 && switch_on(*node, controllers)) {
      return node->string();
    }
  }
  reason = fmt::format("[{}] cannot be handed down: no group above ours is delegated to this user",
                       fmt::join(controllers, " "));
  return std::nullopt;
}

CgroupV2::CgroupV2(const Limits& limits,
                   const std::string& parent,
                   const std::optional<BlockDevice>& disk,
                   const std::set<std::string>& controllers)
    : group_(parent) {
  limit_cpu(limits.cpus, controllers.contains("cpuset"));
  if (limits.memory_bytes > 0) {
    group_.write("memory.max", std::to_string(limits.memory_bytes));
    // Swap would let the run exceed its memory at the price of the disk; absent without swap.
    static_cast<void>(group_.try_write("memory.swap.max", "0"));
  }
  if (!controllers.contains("io")) {
    miss_disk(limits, "the io controller is not delegated to this user");
  } else if (!disk) {
    miss_disk(limits, "the data is on no block device of its own (tmpfs, network?)");
  } else {
    limit_disk(limits, *disk);
  }
  group_.open_members();
}

void CgroupV2::miss(const std::string& limit, const std::string& why) {
  not_imposed_.push_back(limit);
  notes_.push_back(fmt::format("{} limit not imposed: {}", limit, why));
}

void CgroupV2::limit_cpu(double cpus, bool has_cpuset) {
  const auto choice = choose_cpus(cpus, allowed_cpus());
  if (!choice.cpus.empty() && has_cpuset) {
    group_.write("cpuset.cpus", cpu_list(choice.cpus));
  }
  if (!choice.quota && (choice.cpus.empty() || has_cpuset)) {
    return;
  }
  const auto quota = cpu_quota(cpus);
  if (!group_.try_write("cpu.max", fmt::format("{} {}", quota.quota_us, quota.period_us))) {
    miss("cpu", "cpu.max is not writable, the cpu controller is not delegated to this user");
  }
}

void CgroupV2::miss_disk(const Limits& limits, const std::string& why) {
  if (limits.disk_read_bytes_per_s > 0) {
    read_bytes_per_s_ = limits.disk_read_bytes_per_s;
    notes_.push_back(fmt::format("{} ({})", loader_note, why));
  }
  if (limits.disk_write_bytes_per_s > 0 || limits.disk_write_iops > 0) {
    miss("disk write", why);
  }
  if (limits.disk_read_iops > 0) {
    miss("disk read IOPS", why);
  }
}

void CgroupV2::limit_disk(const Limits& limits, const BlockDevice& disk) {
  const std::pair<const char*, double> rows[] = {{"rbps", limits.disk_read_bytes_per_s},
                                                 {"wbps", limits.disk_write_bytes_per_s},
                                                 {"riops", limits.disk_read_iops},
                                                 {"wiops", limits.disk_write_iops}};
  std::string wanted;
  for (const auto& [key, value] : rows) {
    if (value > 0) {
      wanted += fmt::format(" {}={:.0f}", key, value);
    }
  }
  if (!wanted.empty()) {
    group_.write("io.max", disk.number + wanted);
  }
}

Usage CgroupV2::usage() const {
  Usage usage;
  auto cpu = group_.read_table("cpu.stat");
  if (cpu.contains("usage_usec")) {
    usage.cpu_s = static_cast<double>(cpu["usage_usec"]) * microsecond;
  }
  usage.periods = cpu["nr_periods"];
  usage.throttled_periods = cpu["nr_throttled"];
  usage.memory_peak_bytes = group_.read_number("memory.peak");  // since Linux 5.19
  auto memory = group_.read_table("memory.stat");
  if (memory.contains("file")) {
    usage.cache_bytes = memory["file"];
  }
  auto events = group_.read_table("memory.events");
  usage.oom_kills = events["oom_kill"];
  usage.memory_limit_hits = events["max"];
  usage.pressure = read_group_pressure(group_.path());
  return usage;
}

}  // namespace rightsize
