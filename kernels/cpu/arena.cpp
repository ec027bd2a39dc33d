#include "kernels/cpu/arena.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <sys/mman.h>

#include "kernels/engine.h"
#include "kernels/gibibyte.h"

namespace rightsize::cpu {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t page = 4096;

std::size_t granule(std::size_t bytes) {
  return bytes >= huge_page ? huge_page : page;
}

std::size_t rounded(std::size_t bytes) {
  return (bytes + granule(bytes) - 1) / granule(bytes) * granule(bytes);
}

// Value after `key` in a file of "key value" lines, such as meminfo and memory.stat.
std::uint64_t value_of(const std::string& path, const std::string& key, std::uint64_t missing) {
  std::ifstream in(path);
  std::string word;
  for (std::uint64_t value = 0; in >> word;) {
    if (word == key && in >> value) {
      return value;
    }
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return missing;
}

std::uint64_t first_number(const std::string& path) {
  std::ifstream in(path);
  std::uint64_t value = 0;
  return in >> value ? value : unlimited;  // "max" and a missing file are no limit
}

std::uint64_t room(std::uint64_t limit, std::uint64_t used) {
  return limit == unlimited ? unlimited : limit - std::min(limit, used);
}

// Version 2: the limit of each group up to the root holds for all below it. In a container with a
// namespace of its own the root is the container's group, and has a limit; the machine's has none.
std::uint64_t cgroup_v2_room(const std::string& mount, std::string path) {
  std::uint64_t least = unlimited;
  while (true) {
    const auto group = mount + path;
    least = std::min(
        least,
        room(first_number(group + "/memory.max"), value_of(group + "/memory.stat", "anon", 0)));
    if (path.empty()) {
      return least;
    }
    path.resize(path.rfind('/'));
  }
}

// Version 1 gives the least limit of the whole line of groups in one place. A container sees its
// own group where the mount is, and in /proc/self/cgroup the path that it has outside.
std::uint64_t cgroup_v1_room(const std::string& mount, const std::string& path) {
  const auto of_group = [&](const std::string& group) {
    const auto stat = group + "/memory.stat";
    return room(value_of(stat, "hierarchical_memory_limit", unlimited),
                value_of(stat, "total_rss", 0));
  };
  return std::min(of_group(mount), of_group(mount + path));
}

// Lines of /proc/self/cgroup are "id:controllers:path"; no controllers means version 2.
std::uint64_t cgroup_room(const std::string& root) {
  std::uint64_t least = unlimited;
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const auto controllers = line.substr(first + 1, second - first - 1);
    const auto path = line.substr(second + 1);
    if (controllers.empty()) {
      least = std::min(least, cgroup_v2_room(root + "/sys/fs/cgroup", path));
    } else if (controllers == "memory") {
      least = std::min(least, cgroup_v1_room(root + "/sys/fs/cgroup/memory", path));
    }
  }
  return least;
}

}  // namespace

std::uint64_t available_memory_bytes(const std::string& root) {
  const auto kib = value_of(root + "/proc/meminfo", "MemAvailable:", unlimited / 1024);
  return std::min(kib * 1024, cgroup_room(root));
}

Arena::Arena(std::size_t bytes) : size_(rounded(bytes)) {
  const auto available = available_memory_bytes();
  const auto refuse = [&] {
    return OutOfMemory(
        fmt::format("cpu engine: this network and batch need {:.2f} GiB of memory "
                    "and {:.2f} GiB are available; use a smaller batch",
                    static_cast<double>(size_) / bytes_per_gib,
                    static_cast<double>(available) / bytes_per_gib));
  };
  if (size_ > available) {
    throw refuse();
  }
  data_.reset(static_cast<std::byte*>(std::aligned_alloc(granule(size_), size_)));
  if (size_ > 0 && !data_) {
    throw refuse();
  }
  madvise(data_.get(), size_, MADV_HUGEPAGE);  // advice only: refusal costs speed, not truth
  const auto pages = static_cast<std::ptrdiff_t>(size_ / page);
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < pages; ++i) {
    std::memset(data_.get() + static_cast<std::size_t>(i) * page, 0, page);
  }
}

void Arena::Free::operator()(std::byte* memory) const {
  std::free(memory);
}

}  // namespace rightsize::cpu
