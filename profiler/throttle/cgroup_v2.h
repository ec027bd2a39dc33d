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
  // `parent` from find_v2_parent(). Throws ThrottleError; nothing is left behind then.
  CgroupV2(const Limits& limits, const std::string& parent, const std::optional<BlockDevice>& disk);

  [[nodiscard]] std::string_view kind() const override { return "cgroup v2"; }
  [[nodiscard]] bool enter() const noexcept override { return group_.join(); }
  [[nodiscard]] Usage usage() const override;
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }
  [[nodiscard]] std::vector<std::string> not_imposed() const override { return not_imposed_; }

  [[nodiscard]] const CgroupGroup& group() const { return group_; }

 private:
  void limit_cpu(double cpus);
  void limit_disk(const Limits& limits, const std::optional<BlockDevice>& disk);

  CgroupGroup group_;
  std::vector<std::string> notes_;
  std::vector<std::string> not_imposed_;
};

}  // namespace rightsize
