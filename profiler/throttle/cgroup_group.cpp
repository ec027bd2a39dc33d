#include "profiler/throttle/cgroup_group.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rightsize {
namespace {

constexpr int most_groups = 10000;

std::string make_folder(const std::string& parent) {
  for (int n = 0; n < most_groups; ++n) {
    auto path = fmt::format("{}/rightsize.{}.{}", parent, getpid(), n);
    if (mkdir(path.c_str(), 0755) == 0) {
      return path;
    }
    if (errno != EEXIST) {
      break;
    }
  }
  throw ThrottleError(fmt::format(
      "cannot make a control group in {}: {}; run as root, in a delegated scope (systemd-run "
      "--user --scope -p Delegate=yes), or without limits",
      parent,
      std::strerror(errno)));
}

std::vector<int> members_of(const std::string& path) {
  std::ifstream in(path + "/cgroup.procs");
  std::vector<int> members;
  for (int pid = 0; in >> pid;) {
    members.push_back(pid);
  }
  return members;
}

// Control files want the whole value in one write; the stream classes do not promise that.
int write_value(const std::string& path, const std::string& value) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) {
    return errno;
  }
  const auto written = ::write(file, value.data(), value.size());
  const bool whole = written == static_cast<ssize_t>(value.size());
  const int error = whole ? 0 : written < 0 ? errno : EIO;  // of a part errno says nothing
  close(file);
  return error;
}

}  // namespace

CgroupGroup::CgroupGroup(const std::string& parent) : path_(make_folder(parent)) {}

CgroupGroup::CgroupGroup(CgroupGroup&& other) noexcept
    : path_(std::move(other.path_)), members_(std::exchange(other.members_, -1)) {
  other.path_.clear();
}

CgroupGroup::~CgroupGroup() {
  if (members_ >= 0) {
    close(members_);
  }
  if (!path_.empty()) {
    remove_group(path_);
  }
}

void CgroupGroup::write(const std::string& file, const std::string& value) const {
  const auto path = path_ + "/" + file;
  if (const int error = write_value(path, value); error != 0) {
    throw ThrottleError(
        fmt::format("cannot write \"{}\" to {}: {}; `rightsize doctor` shows which "
                    "limits work here",
                    value,
                    path,
                    std::strerror(error)));
  }
}

bool CgroupGroup::try_write(const std::string& file, const std::string& value) const {
  return write_value(path_ + "/" + file, value) == 0;
}

std::optional<std::uint64_t> CgroupGroup::read_number(const std::string& file) const {
  std::ifstream in(path_ + "/" + file);
  std::uint64_t value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

std::map<std::string, std::uint64_t> CgroupGroup::read_table(const std::string& file) const {
  std::ifstream in(path_ + "/" + file);
  std::map<std::string, std::uint64_t> table;
  std::string key;
  for (std::uint64_t value = 0; in >> key >> value;) {
    table[key] = value;
  }
  return table;
}

void CgroupGroup::open_members() {
  const auto path = path_ + "/cgroup.procs";
  members_ = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (members_ < 0) {
    throw ThrottleError(fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  }
}

bool CgroupGroup::join() const noexcept {
  return ::write(members_, "0", 1) == 1;  // 0 stands for the writer
}

bool remove_group(const std::string& path) noexcept {
  try {
    constexpr int attempts = 100;
    for (int attempt = 0; attempt < attempts; ++attempt) {
      for (const int pid : members_of(path)) {
        if (pid == 0) {
          return false;
        }
        kill(pid, SIGKILL);
      }
      if (rmdir(path.c_str()) == 0 || errno == ENOENT) {
        return true;
      }
      if (errno == ENOTEMPTY) {  // an ordinary folder, not a control group
        return false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  } catch (const std::exception&) {
    // Out of memory or the like: the next start removes it as stale.
  }
  return false;
}

}  // namespace rightsize
