#include "profiler/block_device.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace rightsize {
namespace {

namespace fs = std::filesystem;

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

std::string unescape(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) && is_octal(text[i + 2]) &&
        is_octal(text[i + 3])) {
      out +=
          static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + text[i + 3] - '0');
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::optional<Mount> parse_mount(const std::string& line) {
  std::istringstream in(line);
  std::string id;
  std::string parent;
  std::string options;
  Mount mount;
  in >> id >> parent >> mount.device_number >> mount.root >> mount.mount_point >> options;
  // Optional fields of unknown number end with a lone hyphen.
  for (std::string field; in >> field && field != "-";) {
  }
  in >> mount.filesystem >> mount.source >> mount.super_options;
  if (mount.filesystem.empty()) {
    return std::nullopt;
  }
  mount.root = unescape(mount.root);
  mount.mount_point = unescape(mount.mount_point);
  mount.source = unescape(mount.source);
  return mount;
}

std::string number_of(dev_t device) {
  return fmt::format("{}:{}", major(device), minor(device));
}

// Filesystems with an anonymous device number name their disk in the mount table.
std::optional<std::string> number_from_mounts(const std::string& anonymous) {
  for (const auto& mount : read_mounts()) {
    struct stat info {};
    if (mount.device_number == anonymous && mount.source.starts_with("/dev/") &&
        stat(mount.source.c_str(), &info) == 0 && S_ISBLK(info.st_mode)) {
      return number_of(info.st_rdev);
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Mount> read_mounts(const std::string& root) {
  std::ifstream in(fs::path(root) / "proc/self/mountinfo");
  std::vector<Mount> mounts;
  for (std::string line; std::getline(in, line);) {
    if (auto mount = parse_mount(line)) {
      mounts.push_back(std::move(*mount));
    }
  }
  return mounts;
}

std::optional<BlockDevice> whole_disk(const std::string& number, const std::string& root) {
  std::error_code error;
  auto device = fs::canonical(fs::path(root) / "sys/dev/block" / number, error);
  if (error) {
    return std::nullopt;
  }
  if (fs::exists(device / "partition")) {
    device = device.parent_path();
  }
  std::ifstream in(device / "dev");
  BlockDevice disk{"", device.filename().string()};
  if (!(in >> disk.number)) {
    return std::nullopt;
  }
  return disk;
}

std::optional<BlockDevice> block_device_of(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    return std::nullopt;
  }
  const auto number = number_of(info.st_dev);
  if (major(info.st_dev) != 0) {
    return whole_disk(number);
  }
  const auto named = number_from_mounts(number);
  return named ? whole_disk(*named) : std::nullopt;
}

}  // namespace rightsize
