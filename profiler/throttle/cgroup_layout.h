// Where the cgroup controllers of this machine are mounted and where this process sits in them.
// Read from /proc/self/mountinfo and /proc/self/cgroup (cgroups(7)), never assumed.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rightsize {

struct CgroupLayout {
  std::map<std::string, std::string> v1;  // controller -> folder of its mount, "cpu" -> "/sys/..."
  std::string v2;                         // folder of the v2 mount, empty without one
  std::string v2_self;                    // folder of this process's own v2 group
  std::set<std::string> v2_controllers;   // bound to v2, at its root

  // Mounted, and we may make groups there.
  [[nodiscard]] bool has_v1(const std::string& controller) const;
};

// `root` is put in front of every path, so that tests can hold a fake machine.
[[nodiscard]] CgroupLayout read_cgroup_layout(const std::string& root = "/");

// Ours are named rightsize.<pid of the maker>.<n>. nullopt for any other name.
[[nodiscard]] std::optional<int> maker_of_group(const std::string& folder_name);

}  // namespace rightsize
