#include "profiler/throttle/throttle.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include "profiler/throttle/cgroup_layout.h"
#include "profiler/throttle/cgroup_v1.h"
#include "profiler/throttle/cgroup_v2.h"
#include "profiler/throttle/unprivileged.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view root_remedy =
    "run as root, or in a delegated scope: systemd-run --user --scope -p Delegate=yes rightsize "
    "...";

std::set<std::string> v1_controllers_for(const Limits& limits) {
  std::set<std::string> needed;
  for (const auto& controller : v2_controllers_for(limits)) {
    needed.insert(controller == "io" ? "blkio" : controller);
  }
  return needed;
}

// Empty when v1 can impose all of `needed`; otherwise why not.
std::string v1_obstacle(const CgroupLayout& layout, const std::set<std::string>& needed) {
  for (const auto& controller : needed) {
    const auto mount = layout.v1.find(controller);
    if (mount == layout.v1.end()) {
      return fmt::format("the cgroup v1 controller {} is not mounted", controller);
    }
    if (access(mount->second.c_str(), W_OK) != 0) {
      return fmt::format("{} is not writable for this user", mount->second);
    }
  }
  return "";
}

// A v1 throttle is worth having as soon as one controller can be used; the rest become notes.
bool can_use_v1(const CgroupLayout& layout, const std::set<std::string>& needed) {
  return std::any_of(needed.begin(), needed.end(), [&](const std::string& controller) {
    return v1_obstacle(layout, {controller}).empty();
  });
}

// The most that v2 can do here: a user's delegated scope often has cpu and memory but not io.
std::unique_ptr<Throttle> make_v2(const Limits& limits,
                                  const CgroupLayout& layout,
                                  const std::optional<BlockDevice>& disk,
                                  std::string& reason) {
  auto controllers = v2_controllers_for(limits);
  controllers.insert("memory");  // counts the page cache, limited or not
  for (const char* dispensable : {"", "io", "cpuset"}) {
    if (controllers.erase(dispensable) > 0 && dispensable == std::string_view("cpuset")) {
      controllers.insert("cpu");  // a quota does what the set would have done
    }
    std::string why;
    if (const auto parent = find_v2_parent(layout, controllers, why)) {
      return std::make_unique<CgroupV2>(limits, *parent, disk, controllers);
    }
    reason = reason.empty() ? why : reason;
  }
  return nullptr;
}

std::string join_reasons(const std::string& v2, const std::string& v1) {
  return v1.empty() ? v2 : v2.empty() ? v1 : v2 + "; " + v1;
}

}  // namespace

std::unique_ptr<Throttle> make_throttle(const Limits& limits, const ThrottleOptions& options) {
  if (!options.privileged) {
    return std::make_unique<Unprivileged>(limits, "asked to use no control groups");
  }
  const auto layout = read_cgroup_layout(options.root);
  const auto disk = options.data_path.empty() ? std::nullopt : block_device_of(options.data_path);
  std::string v2_reason;
  if (auto throttle = make_v2(limits, layout, disk, v2_reason)) {
    return throttle;
  }
  auto needed = v1_controllers_for(limits);
  const auto v1_reason = v1_obstacle(layout, needed);
  needed.insert("memory");
  if (can_use_v1(layout, needed)) {
    return std::make_unique<CgroupV1>(limits, layout, disk);
  }
  return std::make_unique<Unprivileged>(limits, join_reasons(v2_reason, v1_reason));
}

std::vector<ThrottleCapability> probe_throttles(const std::string& root) {
  struct Row {
    const char* limit;
    const char* v2;
    const char* v1;
    const char* fallback;  // what the unprivileged throttle does, or nullptr
  };
  const Row rows[] = {{"cpu", "cpu", "cpu", "CPU affinity: whole CPUs only"},
                      {"memory", "memory", "memory", nullptr},
                      {"disk read", "io", "blkio", "token bucket in the loader"},
                      {"disk write", "io", "blkio", nullptr}};
  const auto layout = read_cgroup_layout(root);
  std::vector<ThrottleCapability> found;
  for (const auto& row : rows) {
    ThrottleCapability capability{row.limit, true, "", "", ""};
    std::string v2_reason;
    const auto v1_reason = v1_obstacle(layout, {row.v1});
    if (const auto parent = find_v2_parent(layout, {row.v2}, v2_reason)) {
      capability.how = fmt::format("cgroup v2 ({})", *parent);
    } else if (v1_reason.empty()) {
      capability.how = fmt::format("cgroup v1 ({})", layout.v1.at(row.v1));
    } else {
      capability.possible = row.fallback != nullptr;
      capability.how = row.fallback == nullptr ? "" : row.fallback;
      capability.reason = join_reasons(v2_reason, v1_reason);
      capability.remedy = root_remedy;
    }
    found.push_back(std::move(capability));
  }
  return found;
}

int remove_stale_groups(const std::string& root) {
  const auto layout = read_cgroup_layout(root);
  std::set<std::string> parents;
  for (const auto& [controller, folder] : layout.v1) {
    parents.insert(folder);
  }
  for (fs::path node = layout.v2_self; !layout.v2.empty(); node = node.parent_path()) {
    parents.insert(node.string());
    if (node == fs::path(layout.v2) || node == node.parent_path()) {
      break;
    }
  }
  int removed = 0;
  for (const auto& parent : parents) {
    std::vector<std::string> stale;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(parent, error)) {
      const auto maker = maker_of_group(entry.path().filename().string());
      if (maker && kill(*maker, 0) != 0 && errno == ESRCH) {
        stale.push_back(entry.path().string());
      }
    }
    for (const auto& path : stale) {
      removed += remove_group(path) ? 1 : 0;
    }
  }
  return removed;
}

}  // namespace rightsize
