// What children did counts for as long as nobody has waited for them, and after that.
#include "profiler/measure/process_tree.h"

#include <atomic>
#include <ctime>
#include <thread>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profiler/measure/clock.h"

using namespace rightsize;

namespace {

double own_cpu_s() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

}  // namespace

TEST_CASE("process tree: a child that ended keeps its count before and after it is waited for") {
  constexpr double work_s = 0.2;
  const auto before = read_process_tree(getpid());
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    while (own_cpu_s() < work_s) {
    }
    _exit(0);
  }
  siginfo_t ended{};
  REQUIRE(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) == 0);  // a zombie yet
  const auto dead = read_process_tree(getpid());
  CHECK(dead.processes == before.processes);
  CHECK(dead.cpu_s - before.cpu_s > 0.9 * work_s);
  CHECK(dead.disk_read_bytes >= before.disk_read_bytes);
  REQUIRE(waitpid(child, nullptr, 0) == child);
  const auto reaped = read_process_tree(getpid());
  CHECK(reaped.cpu_s - before.cpu_s > 0.9 * work_s);
  CHECK(reaped.cpu_s >= dead.cpu_s - 0.02);  // counted in ticks of 10 ms
}

TEST_CASE("process tree: a process without children is itself") {
  const auto usage = read_process_tree(getpid());
  CHECK(usage.processes >= 1);
  CHECK(usage.rss_bytes > 0);
  CHECK(usage.anonymous_bytes > 0);
  CHECK(read_process_tree(-1).processes == 0);
}

TEST_CASE("process tree: processes that end while they are read do not disturb") {
  std::atomic<bool> over{false};
  std::thread churn([&] {
    while (!over) {
      const pid_t child = fork();
      if (child == 0) {
        _exit(0);
      }
      waitpid(child, nullptr, 0);
    }
  });
  SteadyClock clock;
  const double begin_s = clock.now_s();
  while (clock.now_s() - begin_s < 1) {
    CHECK_NOTHROW(static_cast<void>(read_process_tree(getpid())));
  }
  over = true;
  churn.join();
}
