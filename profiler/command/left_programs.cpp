#include "profiler/command/left_programs.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <signal.h>

#include "profiler/measure/fleeting_file.h"
#include "profiler/whole_number.h"

namespace rightsize {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view name = "RIGHTSIZE_SUPERVISOR=";

// Field 22 of /proc/<pid>/stat, in clock ticks since boot; empty when there is no such process. A
// zombie is none: nobody is at home.
std::string started(pid_t pid) {
  const auto stat = readable_text(fmt::format("/proc/{}/stat", pid));
  const auto name_end = stat.rfind(')');  // the name may hold blanks
  if (name_end == std::string::npos) {
    return {};
  }
  std::istringstream in(stat.substr(name_end + 1));
  std::string field;
  in >> field;
  if (field == "Z" || field == "X") {
    return {};
  }
  for (int i = 4; i <= 22; ++i) {
    in >> field;
  }
  return field;
}

// "pid:[4026531836]": numbers of processes mean nothing outside it.
std::string numbering() {
  std::error_code error;
  return fs::read_symlink("/proc/self/ns/pid", error).string();
}

std::string mark_of(pid_t supervisor) {
  return fmt::format("{}.{}.{}", supervisor, started(supervisor), numbering());
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

bool is_left(const std::string& mark) {
  const auto supervisor = whole_number(mark.substr(0, mark.find('.')));
  return supervisor && mark.ends_with("." + numbering()) &&
         mark != mark_of(static_cast<pid_t>(*supervisor));
}

}  // namespace

std::string supervisor_variable(pid_t supervisor) {
  return std::string(name) + mark_of(supervisor);
}

int kill_left_programs() {
  int killed = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const auto pid = whole_number(entry.path().filename().string());
    if (pid && is_left(mark_in(readable_text(entry.path().string() + "/environ"))) &&
        kill(static_cast<pid_t>(*pid), SIGKILL) == 0) {
      ++killed;
    }
  }
  return killed;
}

}  // namespace rightsize
