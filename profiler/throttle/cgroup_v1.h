// Limits by cgroup v1: one leaf group of our own under each mount that has a controller we need.
#pragma once

#include <map>
#include <optional>

#include "profiler/block_device.h"
#include "profiler/throttle/cgroup_group.h"
#include "profiler/throttle/cgroup_layout.h"
#include "profiler/throttle/throttle.h"

namespace rightsize {

class CgroupV1 : public Throttle {
 public:
  // Imposes every limit of `limits` whose controller is mounted and writable; the others become
  // notes. `disk` is the device for the disk limits. Throws ThrottleError; nothing is left behind
  // then.
  CgroupV1(const Limits& limits,
           const CgroupLayout& layout,
           const std::optional<BlockDevice>& disk);

  [[nodiscard]] std::string_view kind() const override { return "cgroup v1"; }
  [[nodiscard]] bool enter() const noexcept override;
  [[nodiscard]] Usage usage() const override;
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }
  [[nodiscard]] std::vector<std::string> not_imposed() const override { return not_imposed_; }

  [[nodiscard]] double loader_read_bytes_per_s() const override { return read_bytes_per_s_; }

  // The group under one controller, for tests; nullptr when there is none.
  [[nodiscard]] const CgroupGroup* group(const std::string& controller) const;

 private:
  CgroupGroup& make(const std::string& controller, const CgroupLayout& layout);
  void limit_cpu(double cpus, const CgroupLayout& layout);
  void limit_memory(std::uint64_t bytes, const CgroupLayout& layout);
  void limit_disk(const Limits& limits,
                  const CgroupLayout& layout,
                  const std::optional<BlockDevice>& disk);
  void miss(const std::string& limit, const std::string& why);

  // By mount: a process is in one group of each, so controllers that share one share the group.
  std::map<std::string, CgroupGroup> groups_;
  std::map<std::string, std::string> mounts_;  // of the controllers that have a group
  double read_bytes_per_s_ = 0;                // left to the loader
  std::vector<std::string> notes_;
  std::vector<std::string> not_imposed_;
};

}  // namespace rightsize
