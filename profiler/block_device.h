// Which block device holds a path: disk limits are set on whole devices, by number.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rightsize {

// One line of /proc/self/mountinfo (proc(5)).
struct Mount {
  std::string device_number;  // "254:0"; anonymous ("0:27") for btrfs, overlay, tmpfs
  std::string root;           // what of the filesystem is mounted here, "/" mostly
  std::string mount_point;
  std::string filesystem;
  std::string source;         // "/dev/vda"
  std::string super_options;  // "rw,cpu,cpuacct"
};

// Reads `<root>/proc/self/mountinfo`; octal escapes (\040) are undone. Empty when unreadable.
[[nodiscard]] std::vector<Mount> read_mounts(const std::string& root = "/");

struct BlockDevice {
  std::string number;  // "254:0", of the whole disk even when the path lies on a partition
  std::string name;    // "vda"

  bool operator==(const BlockDevice&) const = default;
};

// nullopt for paths on no block device of their own (tmpfs, NFS, overlay on several).
[[nodiscard]] std::optional<BlockDevice> block_device_of(const std::string& path);

// The whole disk behind a device number, from `<root>/sys/dev/block`.
[[nodiscard]] std::optional<BlockDevice> whole_disk(const std::string& number,
                                                    const std::string& root = "/");

}  // namespace rightsize
