#include "profiler/command/left_programs.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profiler/measure/fleeting_file.h"
#include "support/temporary_folder.h"

namespace rightsize {
namespace {

// Leases in a folder of this test's own: profiling elsewhere on the machine sweeps up the common
// one.
class OwnLeases {
 public:
  OwnLeases() { setenv("TMPDIR", folder_.path().c_str(), 1); }
  OwnLeases(const OwnLeases&) = delete;
  OwnLeases& operator=(const OwnLeases&) = delete;
  ~OwnLeases() { unsetenv("TMPDIR"); }

 private:
  TemporaryFolder folder_;
};

// A process that sleeps with one variable more in its environment; killed and reaped at the end.
class Sleeper {
 public:
  explicit Sleeper(const std::string& variable) : pid_(fork()) {
    if (pid_ == 0) {
      execl("/usr/bin/env", "env", variable.c_str(), "sleep", "60", nullptr);
      _exit(127);
    }
    for (int i = 0;
         i < 500 && !readable_text(fmt::format("/proc/{}/comm", pid_)).starts_with("sleep");
         ++i) {
      usleep(10'000);
    }
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  ~Sleeper() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  // Waits for what SIGKILL does a moment later.
  [[nodiscard]] bool ended() const {
    siginfo_t info{};
    for (int i = 0; i < 200; ++i) {
      if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT | WNOHANG) == 0 &&
          info.si_pid == pid_) {
        return true;
      }
      usleep(10'000);
    }
    return false;
  }
  [[nodiscard]] bool runs() const {
    siginfo_t info{};
    usleep(100'000);
    return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT | WNOHANG) == 0 &&
           info.si_pid == 0;
  }

 private:
  pid_t pid_;
};

// The mark of a process that has been and gone, and could not remove its lease.
std::string mark_of_the_dead() {
  const pid_t pid = fork();
  if (pid == 0) {
    pause();
    _exit(0);
  }
  static_cast<void>(new ProgramLease(pid));  // never destroyed, as of a process that was killed
  auto mark = supervisor_variable(pid);
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  return mark;
}

TEST_CASE("left programs: what a killed run left is ended, and nothing else") {
  const OwnLeases leases;
  const pid_t supervisor = fork();
  if (supervisor == 0) {
    pause();
    _exit(0);
  }
  const ProgramLease lease(supervisor);
  const Sleeper program(supervisor_variable(supervisor));
  const Sleeper bystander("RIGHTSIZE_NOTHING=1");
  kill_left_programs();
  CHECK(program.runs());  // its supervisor lives: hands off
  kill(supervisor, SIGKILL);
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(supervisor), &info, WEXITED | WNOWAIT);
  CHECK(program.runs());
  CHECK(kill_left_programs() == 1);  // of a supervisor that nobody has reaped yet
  CHECK(program.ended());
  CHECK(bystander.runs());
  waitpid(supervisor, nullptr, 0);
  CHECK(kill_left_programs() == 0);
}

TEST_CASE("left programs: a folder of leases that others may write into is not believed") {
  const OwnLeases leases;
  const auto mark = mark_of_the_dead();
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("rightsize-programs-{}", geteuid());
  REQUIRE(std::filesystem::is_directory(folder));
  const Sleeper program(mark);
  std::filesystem::permissions(folder, std::filesystem::perms::all);
  CHECK(kill_left_programs() == 0);
  CHECK(program.runs());
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  CHECK(kill_left_programs() == 1);
}

TEST_CASE("left programs: what outlives a supervisor that came to its end is the user's") {
  const OwnLeases leases;
  const pid_t supervisor = fork();
  if (supervisor == 0) {
    pause();
    _exit(0);
  }
  const auto mark = supervisor_variable(supervisor);
  { const ProgramLease lease(supervisor); }
  kill(supervisor, SIGKILL);
  waitpid(supervisor, nullptr, 0);
  const Sleeper job(mark);  // as sbatch exports the environment
  CHECK(kill_left_programs() == 0);
  CHECK(job.runs());
}

TEST_CASE(
    "left programs: another machine's, another container's and strange marks are left alone") {
  const OwnLeases leases;
  const auto mark = mark_of_the_dead();
  const auto boot = mark.find('.', mark.find('.') + 1) + 1;
  auto elsewhere = mark;  // as a batch system carries an environment from node to node
  elsewhere[boot] = elsewhere[boot] == '0' ? '1' : '0';
  auto contained = mark;
  contained.replace(contained.find("pid:["), 5, "pid:[1");
  const auto* name = "RIGHTSIZE_SUPERVISOR=";
  for (const auto& strange : {elsewhere,
                              contained,
                              std::string(name),
                              name + std::string("77"),
                              name + std::string("0.0.0"),
                              name + std::string("-1.5.") + mark.substr(boot)}) {
    INFO(strange);
    const Sleeper program(strange);
    CHECK(kill_left_programs() == 0);
    CHECK(program.runs());
  }
  const Sleeper program(mark_of_the_dead());  // the first one's lease has been swept up
  CHECK(kill_left_programs() == 1);
  CHECK(program.ended());
}

TEST_CASE("left programs: who inherited an old mark does not end itself, nor its shell") {
  const OwnLeases leases;
  const auto mark = mark_of_the_dead();
  const pid_t shell = fork();
  if (shell == 0) {
    setenv("RIGHTSIZE_SUPERVISOR", mark.substr(mark.find('=') + 1).c_str(), 1);
    // A program of its own, so that /proc shows the environment; the shell stays its parent.
    const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
    const auto* script =
        "\"$0\" -ns -tc='left programs: what bears an old mark ends what was left'; exit $?";
    execl("/bin/sh", "sh", "-c", script, self.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(shell, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

// Run by the case above alone.
TEST_CASE("left programs: what bears an old mark ends what was left" * doctest::skip()) {
  const char* inherited = getenv("RIGHTSIZE_SUPERVISOR");
  REQUIRE(inherited != nullptr);
  const Sleeper program(std::string("RIGHTSIZE_SUPERVISOR=") + inherited);
  CHECK(kill_left_programs() == 1);
  CHECK(program.ended());
}

}  // namespace
}  // namespace rightsize
