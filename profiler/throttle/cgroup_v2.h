// Limits by cgroup v2: one leaf group below a node whose controllers we may hand down.
#pragma once

#include <optional>
#include <set>

#include "profiler/block_device.h"
#include "profiler/throttle/cgroup_group.h"
#include "profiler/throttle/cgroup_layout.h"
#include "profiler/throttle/throttle.h"

namespace rightsize {

// The controllers that `limits` cannot do without, in cgroup v2's names.
[[nodiscard]] std::set<std::string> v2_controllers_for(const Limits& limits);

// A v2 group under which we may make a leaf with those controllers: the mount's root, or the
// nearest ancestor of our own group that has (or lets us switch on) all of them. Nodes other than
// the root must have no processes of their own for that. nullopt when there is none; `reason` says
// why then.
[[nodiscard]] std::optional<std::string> find_v2_parent(const CgroupLayout& layout,
                                                        const std::set<std::string>& controllers,
                                                        std::string& reason);

class CgroupV2 : public Throttle {
 public:
  // `parent` from find_v2_parent(), which hands down `controllers`: limits that need others become
  // notes. Throws ThrottleError; nothing is left behind then.
  CgroupV2(const Limits& limits,
           const std::string& parent,
           const std::optional<BlockDevice>& disk,
           const std::set<std::string>& controllers);

  [[nodiscard]] std::string_view kind() const override { return "cgroup v2"; }
  [[nodiscard]] bool enter() const noexcept override { return group_.join(); }
  [[nodiscard]] Usage usage() const override;
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }
  [[nodiscard]] std::vector<std::string> not_imposed() const override { return not_imposed_; }

  [[nodiscard]] double loader_read_bytes_per_s() const override { return read_bytes_per_s_; }

  [[nodiscard]] const CgroupGroup& group() const { return group_; }

 private:
  void limit_cpu(double cpus, bool has_cpuset);
  void limit_disk(const Limits& limits, const BlockDevice& disk);
  void miss_disk(const Limits& limits, const std::string& why);

  void miss(const std::string& limit, const std::string& why);

  CgroupGroup group_;
  double read_bytes_per_s_ = 0;  // left to the loader
  std::vector<std::string> notes_;
  std::vector<std::string> not_imposed_;
};

}  // namespace rightsize
