#include "profiler/measure/process_tree.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include <dirent.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include "profiler/measure/fleeting_file.h"

namespace rightsize {
namespace {

// The number after `key` in a text of "key value" lines; 0 when absent.
std::uint64_t number_after(const std::string& text, const std::string& key) {
  const auto place = text.find(key);
  return place == std::string::npos ? 0
                                    : std::strtoull(text.c_str() + place + key.size(), nullptr, 10);
}

// Fields 14 to 17 of /proc/<pid>/stat, counted after the name, which may hold blanks.
double cpu_seconds(const std::string& stat) {
  static const double tick_s = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  const auto name_end = stat.rfind(')');
  if (name_end == std::string::npos) {
    return 0;
  }
  std::istringstream in(stat.substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) {
    in >> skipped;
  }
  double sum = 0;
  double ticks = 0;
  for (int field = 14; field <= 17 && in >> ticks; ++field) {
    sum += ticks;
  }
  return sum * tick_s;
}

void add_process(pid_t pid, TreeUsage& usage) {
  const auto folder = fmt::format("/proc/{}/", pid);
  // What a process did counts until its parent has waited for it, and then as the parent's.
  const auto io = readable_text(folder + "io");
  usage.cpu_s += cpu_seconds(readable_text(folder + "stat"));
  usage.disk_read_bytes += number_after(io, "\nread_bytes:");
  usage.disk_written_bytes += number_after(io, "\nwrite_bytes:");
  usage.read_calls_bytes += number_after(io, "rchar:");
  const auto status = readable_text(folder + "status");
  if (status.find("VmRSS:") == std::string::npos) {
    return;  // gone, or a zombie
  }
  ++usage.processes;
  usage.rss_bytes += number_after(status, "VmRSS:") << 10;
  usage.anonymous_bytes += (number_after(status, "RssAnon:") + number_after(status, "RssShmem:"))
                           << 10;
}

// The kernel lists children by the thread that made them.
void add_children(pid_t pid, std::vector<pid_t>& found) {
  const auto folder = fmt::format("/proc/{}/task", pid);
  DIR* threads = opendir(folder.c_str());
  if (threads == nullptr) {
    return;
  }
  while (const dirent* thread = readdir(threads)) {
    if (thread->d_name[0] == '.') {
      continue;
    }
    std::ifstream in(fmt::format("{}/{}/children", folder, thread->d_name));
    for (pid_t child = 0; in >> child;) {
      found.push_back(child);
    }
  }
  closedir(threads);
}

}  // namespace

std::vector<pid_t> descendants_of(pid_t root) {
  std::vector<pid_t> found;
  add_children(root, found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    add_children(found[i], found);
  }
  return found;
}

TreeUsage read_process_tree(pid_t root) {
  auto usage = read_descendants(root);
  add_process(root, usage);
  return usage;
}

TreeUsage read_descendants(pid_t root) {
  TreeUsage usage;
  for (const pid_t pid : descendants_of(root)) {
    add_process(pid, usage);
  }
  return usage;
}

void kill_descendants(pid_t root) {
  constexpr int most_rounds = 100;  // against a program that makes processes faster than they die
  for (int round = 0; round < most_rounds && read_descendants(root).processes > 0; ++round) {
    for (const pid_t pid : descendants_of(root)) {
      kill(pid, SIGKILL);
    }
    usleep(1000);  // a killed process needs a moment to become a zombie
  }
}

}  // namespace rightsize
