// The kernel's own answers, where control groups can be made: skipped with a reason otherwise.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profiler/block_device.h"
#include "profiler/measure/page_cache.h"
#include "profiler/measure/runner.h"
#include "profiler/throttle/cgroup_layout.h"
#include "profiler/throttle/throttle.h"
#include "support/approx.h"
#include "support/temporary_folder.h"

using namespace rightsize;
namespace fs = std::filesystem;

namespace {

bool can(const std::string& limit) {
  for (const auto& capability : probe_throttles()) {
    if (capability.limit == limit && capability.how.find("cgroup") == 0) {
      return true;
    }
    if (capability.limit == limit) {
      MESSAGE("skipped: no " << limit << " limit here: " << capability.reason);
    }
  }
  return false;
}

RunOptions probe_options() {
  RunOptions options;
  options.executable = RIGHTSIZE_PROBE;
  return options;
}

RunSpec spec_for(const std::string& work, double seconds = 2.5) {
  RunSpec spec;
  spec.workload.network = work;
  spec.stop.window_s = 0.2;
  spec.stop.max_warmup_s = 0.6;
  spec.stop.min_s = seconds / 2;
  spec.stop.max_s = seconds;
  return spec;
}

// Groups in any hierarchy that a given process made.
int groups_of(pid_t pid) {
  const auto layout = read_cgroup_layout();
  auto folders = layout.v1;
  folders.emplace("v2", layout.v2);
  int count = 0;
  for (const auto& [name, folder] : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      count += maker_of_group(entry.path().filename().string()) == pid ? 1 : 0;
    }
  }
  return count;
}

// A busy machine adds a note about pressure, which says nothing of the limits.
std::vector<std::string> notes_of_limits(const Record& record) {
  auto notes = record.throttle_notes;
  std::erase_if(notes, [](const std::string& note) {
    return note.starts_with("pressure") || note.starts_with("a core");
  });
  return notes;
}

}  // namespace

TEST_CASE("real: half a CPU is half a CPU") {
  if (!can("cpu")) {
    return;
  }
  auto spec = spec_for("spin");
  spec.limits.cpus = 0.5;
  const auto record = run_one(spec, probe_options());
  CAPTURE(record.reason);
  MESSAGE("achieved " << record.achieved_cpus << " CPUs, throttled " << record.throttled_share);
  CHECK(record.achieved_cpus == test::approx(0.5).epsilon(0.10));
  CHECK(record.throttled_share > 0.5);
  CHECK(record.engine_threads == 1);
  CHECK(groups_of(getpid()) == 0);
}

TEST_CASE("real: one CPU of several is pinned, not only rationed") {
  if (!can("cpu")) {
    return;
  }
  auto spec = spec_for("spin");
  spec.limits.cpus = 1;
  const auto record = run_one(spec, probe_options());
  MESSAGE("achieved " << record.achieved_cpus << " CPUs: " << to_string(record.status));
  CHECK(record.achieved_cpus <= 1.05);
  CHECK(record.achieved_cpus > 0.3);  // other tests may share the CPU
  CHECK(record.throughput.median > 0);
}

TEST_CASE("real: a run that needs more than its memory is reported as out of memory") {
  if (!can("memory")) {
    return;
  }
  auto spec = spec_for("hoard", 20);
  spec.limits.memory_bytes = 128ULL << 20;
  const auto record = run_one(spec, probe_options());
  CHECK(record.status == Status::out_of_memory);
  CHECK(record.reason == "out of memory at 128 MiB (cgroup limit)");
  CHECK(record.peak_memory_bytes <= 128ULL << 20);
  CHECK(record.peak_memory_bytes > 100ULL << 20);
  CHECK(groups_of(getpid()) == 0);
}

TEST_CASE("real: cold reads keep to the disk limit and the page cache to the memory limit") {
  if (!can("disk read") || !can("memory")) {
    return;
  }
  const TemporaryFolder folder;
  const auto path = folder.write("data.rec", std::string(160U << 20, 'd'));
  auto spec = spec_for("read", 3);
  spec.workload.data = DataFormat::recordio;
  spec.workload.data_path = path;
  spec.limits.disk_read_bytes_per_s = 40e6;
  spec.limits.memory_bytes = 96ULL << 20;
  spec.stop.min_s = 2;
  const auto record = run_one(spec, probe_options());
  const auto notes = notes_of_limits(record);
  if (!notes.empty()) {
    MESSAGE("skipped: " << notes.front());
    return;
  }
  const double rate = static_cast<double>(record.disk_read_bytes) / record.seconds;
  MESSAGE("read " << rate / 1e6 << " MB/s, peak " << (record.peak_memory_bytes >> 20) << " MiB");
  CHECK(rate == test::approx(40e6).epsilon(0.15));
  CHECK(record.peak_memory_bytes <= 96ULL << 20);
}

TEST_CASE("real: a file that fits in memory is read from the disk once, then from the cache") {
  const TemporaryFolder folder;
  const auto path = folder.write("data.rec", std::string(64U << 20, 'd'));
  auto spec = spec_for("read", 2);
  spec.workload.data = DataFormat::recordio;
  spec.workload.data_path = path;
  const auto record = run_one(spec, probe_options());
  REQUIRE(record.cold_items_per_s.has_value());
  CHECK(record.epochs >= 2);
  CHECK(record.disk_read_bytes < record.bytes_requested / 20);
  CHECK(record.dataset_items == 64);
}

TEST_CASE("real: dropping a file from the page cache leaves nothing of it resident") {
  const TemporaryFolder folder;
  const auto path = folder.write("data", std::string(8U << 20, 'x'));
  const auto dropped = drop_from_page_cache(folder.path());
  CHECK(dropped.files == 1);
  CHECK(dropped.bytes == 8U << 20);
  if (block_device_of(path)) {  // a tmpfs has nowhere to drop it to
    CHECK(dropped.resident_bytes == 0);
  }
}

TEST_CASE("real: failures of the worker come back as statuses with its own words") {
  CHECK(run_one(spec_for("gpu"), probe_options()).status == Status::unsupported);
  const auto unknown = run_one(spec_for("nonsense"), probe_options());
  CHECK(unknown.status == Status::failed);
  CHECK(unknown.reason == "network = \"nonsense\": nothing of that name");
  const auto crash = run_one(spec_for("crash"), probe_options());
  CHECK(crash.status == Status::failed);
  CHECK(crash.reason.find("signal 6") != std::string::npos);
  CHECK(crash.reason.find("about to crash") != std::string::npos);
  auto slow = spec_for("hang");
  slow.timeout_s = 0.5;
  CHECK(run_one(slow, probe_options()).status == Status::timed_out);
  auto absent = probe_options();
  absent.executable = "/no/such/program";
  CHECK(run_one(spec_for("spin"), absent).reason.find("could not be executed") !=
        std::string::npos);
}

TEST_CASE("real: without control groups the record says what was not imposed") {
  auto spec = spec_for("sleep", 1.5);
  spec.limits.memory_bytes = 1 << 20;
  auto options = probe_options();
  options.privileged = false;
  const auto record = run_one(spec, options);
  CHECK(record.throttle == "unprivileged");
  CHECK(record.status == Status::untrusted);
  CHECK(record.reason.find("the memory limit could not be imposed") == 0);
  CHECK(notes_of_limits(record).size() == 1);
}

TEST_CASE("real: groups go with the throttle when an exception passes") {
  if (!can("memory")) {
    return;
  }
  Limits limits;
  limits.cpus = 0.5;
  limits.memory_bytes = 64U << 20;
  try {
    const auto throttle = make_throttle(limits);
    CHECK(groups_of(getpid()) > 0);
    throw std::runtime_error("something went wrong");
  } catch (const std::runtime_error&) {
  }
  CHECK(groups_of(getpid()) == 0);
}

TEST_CASE("real: Ctrl-C stops a run, kills its worker and leaves no group behind") {
  std::thread interrupt([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    kill(getpid(), SIGINT);
  });
  const InterruptScope keep_counting;  // a late signal must not end the test program
  CHECK_THROWS_AS(static_cast<void>(run_one(spec_for("sleep", 20), probe_options())), Interrupted);
  interrupt.join();
  CHECK(groups_of(getpid()) == 0);
}

TEST_CASE("real: the groups of a killed parent are stale, and removed at the next start") {
  if (!can("memory")) {
    return;
  }
  const pid_t parent = fork();
  if (parent == 0) {
    execl(RIGHTSIZE_PROBE, RIGHTSIZE_PROBE, "hold", nullptr);
    _exit(127);
  }
  for (int i = 0; i < 200 && groups_of(parent) == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  REQUIRE(groups_of(parent) > 0);
  CHECK(remove_stale_groups() == 0);  // its maker lives: hands off
  CHECK(groups_of(parent) > 0);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  const int left = groups_of(parent);
  CHECK(left > 0);
  CHECK(remove_stale_groups() >= left);
  CHECK(groups_of(parent) == 0);
}
