#include "advisor/machine/machine_keys.h"

#include <algorithm>
#include <array>

namespace rightsize {
namespace {

struct Meant {
  std::string_view word;
  std::string_view key;
};

constexpr std::string_view disk = "disk=250MB/s";

constexpr std::array others{
    Meant{"cores", "vcpus=8"},
    Meant{"cpu-speed", "cpu=\"Xeon 8375C\""},
    Meant{"cpus", "vcpus=8"},
    Meant{"disk-iops", "disk=\"gp3 500 GiB 4000 IOPS\""},
    Meant{"disk-read", disk},
    Meant{"disk-write", disk},
    Meant{"disk_read", disk},
    Meant{"disk_write", disk},
    Meant{"memory", "memory=61GiB"},
    Meant{"network", "net=ethernet:25"},
    Meant{"ram", "memory=61GiB"},
    Meant{"storage", disk},
};

}  // namespace

const std::vector<std::string>& machine_keys() {
  static const std::vector<std::string> keys{
      "gpu", "vcpus", "memory", "disk", "link", "nodes", "net", "cpu"};
  return keys;
}

std::string_view machine_key_meant(std::string_view word) {
  const auto found = std::find_if(
      others.begin(), others.end(), [&](const Meant& other) { return other.word == word; });
  return found == others.end() ? "" : found->key;
}

}  // namespace rightsize
