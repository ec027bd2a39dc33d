#include "profiler/throttle/cgroup_layout.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "profiler/block_device.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view controllers[] = {"cpu", "cpuacct", "cpuset", "memory", "blkio"};

std::string under(const std::string& root, const std::string& path) {
  return (fs::path(root) / fs::path(path).relative_path()).string();
}

void add_v1(const Mount& mount, const std::string& folder, CgroupLayout& layout) {
  std::istringstream options(mount.super_options);
  for (std::string option; std::getline(options, option, ',');) {
    for (const auto controller : controllers) {
      if (option == controller) {
        layout.v1.emplace(option, folder);
      }
    }
  }
}

// The "0::/path" line; the path is relative to the mount's own root.
std::string self_path(const std::string& root) {
  std::ifstream in(fs::path(root) / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("0::")) {
      return line.substr(3);
    }
  }
  return "/";
}

}  // namespace

bool CgroupLayout::has_v1(const std::string& controller) const {
  const auto mount = v1.find(controller);
  return mount != v1.end() && access(mount->second.c_str(), W_OK) == 0;
}

CgroupLayout read_cgroup_layout(const std::string& root) {
  CgroupLayout layout;
  for (const auto& mount : read_mounts(root)) {
    const auto folder = under(root, mount.mount_point);
    if (mount.filesystem == "cgroup") {
      add_v1(mount, folder, layout);
    } else if (mount.filesystem == "cgroup2" && layout.v2.empty()) {
      layout.v2 = folder;
      const auto self = self_path(root);
      layout.v2_self = self == "/" ? folder : folder + self;
      std::ifstream in(fs::path(folder) / "cgroup.controllers");
      for (std::string name; in >> name;) {
        layout.v2_controllers.insert(name);
      }
    }
  }
  return layout;
}

std::optional<int> maker_of_group(const std::string& folder_name) {
  constexpr std::string_view prefix = "rightsize.";
  if (!folder_name.starts_with(prefix)) {
    return std::nullopt;
  }
  int pid = 0;
  const char* end = folder_name.data() + folder_name.size();
  const auto [stop, error] = std::from_chars(folder_name.data() + prefix.size(), end, pid);
  if (error != std::errc{} || stop == end || *stop != '.' || pid <= 0) {
    return std::nullopt;
  }
  return pid;
}

}  // namespace rightsize
