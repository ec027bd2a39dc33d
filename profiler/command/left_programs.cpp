#include "profiler/command/left_programs.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/measure/fleeting_file.h"
#include "profiler/whole_number.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view name = "RIGHTSIZE_SUPERVISOR=";

struct ProcessStat {
  bool dead = false;    // a zombie: nobody is at home
  pid_t parent = 0;     // field 4
  std::string started;  // field 22, in clock ticks since boot
};

// nullopt where /proc does not show it: there is no such process, or it is another user's and
// hidden.
std::optional<ProcessStat> stat_of(pid_t pid) {
  const auto stat = readable_text(fmt::format("/proc/{}/stat", pid));
  const auto name_end = stat.rfind(')');  // the name may hold blanks
  if (name_end == std::string::npos) {
    return std::nullopt;
  }
  ProcessStat result;
  std::istringstream in(stat.substr(name_end + 1));
  std::string field;
  in >> field >> result.parent;
  result.dead = field == "Z" || field == "X";
  for (int i = 5; i <= 22; ++i) {
    in >> field;
  }
  result.started = field;
  return in ? std::optional(result) : std::nullopt;
}

// The boot of a machine and the namespaces that number its processes and count its time: outside
// them a mark means nothing. The first namespaces have the same numbers on every machine.
std::string place() {
  auto boot = readable_text("/proc/sys/kernel/random/boot_id");
  boot.erase(boot.find_last_not_of('\n') + 1);
  std::error_code error;
  const auto numbers = fs::read_symlink("/proc/self/ns/pid", error).string();
  const auto time = fs::read_symlink("/proc/self/ns/time", error).string();
  return fmt::format("{}.{}.{}", boot, numbers, time);
}

// The mark in the environment of a process; empty where there is none, or another user's.
std::string mark_in(const std::string& environment) {
  std::size_t begin = 0;
  while (begin < environment.size()) {
    const auto end = std::min(environment.find('\0', begin), environment.size());
    const auto variable = std::string_view(environment).substr(begin, end - begin);
    if (variable.starts_with(name)) {
      return std::string(variable.substr(name.size()));
    }
    begin = end + 1;
  }
  return {};
}

// Whether that process has ended, for certain: one that cannot be looked at may live.
bool is_gone(pid_t pid, const std::string& started) {
  if (kill(pid, 0) != 0 && errno == ESRCH) {
    return true;
  }
  const auto stat = stat_of(pid);
  return stat && (stat->dead || stat->started != started);
}

// "PID.STARTED", as a mark begins.
bool names_the_gone(const std::string& supervisor) {
  const auto point = supervisor.find('.');
  const auto pid = whole_number(supervisor.substr(0, point));
  return pid && *pid > 1 && point != std::string::npos &&
         is_gone(static_cast<pid_t>(*pid), supervisor.substr(point + 1));
}

// "PID.STARTED.PLACE": the value of a mark, and a lease's name.
std::string mark_of(pid_t supervisor) {
  const auto stat = stat_of(supervisor);
  return fmt::format("{}.{}.{}", supervisor, stat ? stat->started : "", place());
}

// Until the machine boots; as temporary files lie.
fs::path lease_folder() {
  std::error_code error;
  return fs::temp_directory_path(error) / fmt::format("rightsize-programs-{}", geteuid());
}

// Nobody else may have made it, or may write into it: /tmp is everyone's.
bool is_own(const fs::path& folder) {
  struct stat status {};
  return lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid() && (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

// Of a mark of this place whose supervisor is gone and could not remove its lease.
bool is_left(const std::string& mark) {
  const auto second = mark.find('.', mark.find('.') + 1);
  if (second == std::string::npos || mark.substr(second + 1) != place()) {
    return false;
  }
  std::error_code error;
  return is_own(lease_folder()) && fs::exists(lease_folder() / mark, error) &&
         names_the_gone(mark.substr(0, second));
}

void remove_old_leases() {
  std::error_code error;
  if (!is_own(lease_folder())) {
    return;
  }
  for (const auto& lease : fs::directory_iterator(lease_folder(), error)) {
    if (is_left(lease.path().filename().string())) {
      std::error_code ignored;
      fs::remove(lease.path(), ignored);
    }
  }
  rmdir(lease_folder().c_str());  // where none is left
}

// The caller, its parent and so on: a shell or a batch job may have inherited an old mark.
std::set<pid_t> caller_and_ancestors() {
  std::set<pid_t> result;
  for (pid_t pid = getpid(); pid > 0 && result.insert(pid).second;) {
    const auto stat = stat_of(pid);
    pid = stat ? stat->parent : 0;
  }
  return result;
}

// Through a descriptor that is opened before the mark is read, so that another process that got the
// number meanwhile is not hit.
bool kill_if_left(pid_t pid) {
  const int process = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (process < 0 && errno != ENOSYS) {
    return false;
  }
  bool killed = false;
  if (is_left(mark_in(readable_text(fmt::format("/proc/{}/environ", pid))))) {
    killed = process < 0 ? kill(pid, SIGKILL) == 0  // before Linux 5.3
                         : syscall(SYS_pidfd_send_signal, process, SIGKILL, nullptr, 0) == 0;
  }
  if (process >= 0) {
    close(process);
  }
  return killed;
}

}  // namespace

std::string supervisor_variable(pid_t supervisor) {
  return std::string(name) + mark_of(supervisor);
}

// Where no file can be made nothing is swept up later, and nothing else is lost. The last lease
// takes the folder along, perhaps while another is made.
ProgramLease::ProgramLease(pid_t supervisor) : file_(lease_folder() / mark_of(supervisor)) {
  for (int tries = 0; tries < 3; ++tries) {
    mkdir(lease_folder().c_str(), S_IRWXU);
    if (!is_own(lease_folder())) {
      continue;
    }
    const int lease = open(file_.c_str(), O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR);
    if (lease >= 0) {
      close(lease);
      return;
    }
  }
}

ProgramLease::~ProgramLease() {
  if (is_own(lease_folder())) {
    unlink(file_.c_str());
    rmdir(lease_folder().c_str());
  }
}

int kill_left_programs() {
  const auto spared = caller_and_ancestors();
  int killed = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const auto pid = whole_number(entry.path().filename().string());
    if (pid && spared.count(static_cast<pid_t>(*pid)) == 0 &&
        kill_if_left(static_cast<pid_t>(*pid))) {
      ++killed;
    }
  }
  remove_old_leases();
  return killed;
}

}  // namespace rightsize
