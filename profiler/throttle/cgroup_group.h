// One folder of a cgroup hierarchy that we made: its values, its members, its end.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "profiler/throttle/throttle.h"

namespace rightsize {

// Move-only because the folder goes with the object: members are killed, then it is removed.
class CgroupGroup {
 public:
  // Makes the folder `parent`/rightsize.<pid>.<n> with the first free n. Throws ThrottleError.
  explicit CgroupGroup(const std::string& parent);
  CgroupGroup(CgroupGroup&& other) noexcept;
  CgroupGroup& operator=(CgroupGroup&&) = delete;
  ~CgroupGroup();

  [[nodiscard]] const std::string& path() const { return path_; }

  // Throws ThrottleError naming the file, the value and the kernel's answer.
  void write(const std::string& file, const std::string& value) const;

  // As write(), for files that not every kernel has; false when it was refused.
  [[nodiscard]] bool try_write(const std::string& file, const std::string& value) const;

  [[nodiscard]] std::optional<std::uint64_t> read_number(const std::string& file) const;

  // "key value" lines, as in cpu.stat; empty when unreadable.
  [[nodiscard]] std::map<std::string, std::uint64_t> read_table(const std::string& file) const;

  // Opens cgroup.procs for join(); after this no other memory is needed in the child.
  void open_members();
  // Moves the calling process in. Async-signal-safe.
  [[nodiscard]] bool join() const noexcept;

 private:
  std::string path_;
  int members_ = -1;
};

// Kills the members with SIGKILL and removes the folder, waiting up to a second for them to go.
// False when it is still there, or when a member lives in another pid namespace (shown as 0):
// then the maker's process id means nothing here and the group is left alone.
bool remove_group(const std::string& path) noexcept;

}  // namespace rightsize
