#include "profiler/measure/assemble.h"

#include <filesystem>
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <signal.h>

#include "support/approx.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

WorkerReport good_report(int windows = 8) {
  WorkerReport report;
  report.info = TaskInfo{};
  for (int i = 0; i < windows; ++i) {
    RunWindow window;
    window.items = 50;
    window.seconds = 0.5;
    window.cpu_s = 0.5;
    window.warmup = i < 2;
    window.disk_read_bytes = 5'000'000;
    window.bytes_requested = 10'000'000;
    window.stages.decode = 0.25;
    window.step_s = {0.25, 0.25};
    report.windows.push_back(window);
  }
  report.done = true;
  return report;
}

Record judged(const WorkerReport& report, const Surroundings& seen, const Limits& limits = {}) {
  Record record;
  record.limits = limits;
  fill_measurements(report, seen, record);
  judge(report, seen, record);
  return record;
}

}  // namespace

TEST_CASE("assemble: rates, shares and sums come from the windows after warm-up") {
  const auto record = judged(good_report(), {});
  CHECK(record.status == Status::measured);
  CHECK(record.throughput.median == 100);
  CHECK(record.throughput.samples == 6);
  CHECK(record.items == 300);
  CHECK(record.seconds == test::approx(3));
  CHECK(record.cpu_s_per_item == test::approx(0.01));
  CHECK(record.achieved_cpus == test::approx(1));
  CHECK(record.bytes_requested == 60'000'000);
  CHECK(record.disk_read_bytes == 30'000'000);
  CHECK(record.stages.decode == test::approx(0.005));
  CHECK(record.step_p50_s == 0.25);
}

TEST_CASE("assemble: with two epochs done only warm windows count, with one all of them") {
  auto report = good_report(8);
  for (std::size_t i = 0; i < 8; ++i) {
    report.windows[i].epoch = i < 5 ? 0 : 1;
    report.windows[i].epochs_done = i < 5 ? 0 : 1;
  }
  CHECK(steady_windows(report).size() == 6);
  report.windows.back().epochs_done = 2;
  CHECK(steady_windows(report).size() == 3);
}

TEST_CASE("assemble: a limit that did not hold makes the run untrusted and says how far") {
  Limits limits;
  limits.cpus = 0.9;
  auto record = judged(good_report(), {}, limits);
  CHECK(record.status == Status::untrusted);
  CHECK(record.reason == "the cpu limit did not hold: 1.00 CPUs used, 0.9 allowed");
  limits = {};
  limits.disk_read_bytes_per_s = 8e6;
  record = judged(good_report(), {}, limits);
  CHECK(record.status == Status::untrusted);
  CHECK(record.reason == "the disk limit did not hold: 10.0 MB/s read, 8.0 MB/s allowed");
  limits.disk_read_bytes_per_s = 9.5e6;
  CHECK(judged(good_report(), {}, limits).status == Status::measured);
}

TEST_CASE("assemble: a limit nobody imposed matters only when it could have acted") {
  Surroundings seen;
  seen.not_imposed = {"memory"};
  seen.peak_rss_bytes = 100U << 20;
  Limits limits;
  limits.memory_bytes = 200U << 20;
  CHECK(judged(good_report(), seen, limits).status == Status::measured);
  limits.memory_bytes = 50U << 20;
  const auto record = judged(good_report(), seen, limits);
  CHECK(record.status == Status::untrusted);
  CHECK(record.reason.find("the memory limit could not be imposed") == 0);
}

TEST_CASE("assemble: a limit of the disk that nobody imposed harms no run that reads nothing") {
  Surroundings seen;
  seen.not_imposed = {"disk read IOPS"};
  const auto status_of = [&](DataFormat data, const std::string& command) {
    Record record;
    record.workload.data = data;
    record.command = command;
    fill_measurements(good_report(), seen, record);
    judge(good_report(), seen, record);
    return record.status;
  };
  CHECK(status_of(DataFormat::synthetic, "") == Status::measured);
  CHECK(status_of(DataFormat::jpeg, "") == Status::untrusted);
  CHECK(status_of(DataFormat::synthetic, "python3 train.py") == Status::untrusted);
  seen.not_imposed = {"disk write"};
  CHECK(status_of(DataFormat::synthetic, "") == Status::untrusted);
}

TEST_CASE("assemble: steal, busy neighbours and noise make a run untrusted") {
  Surroundings seen;
  seen.steal_share = 0.06;
  CHECK(judged(good_report(), seen).reason.find("the hypervisor took 6 %") == 0);
  seen = {};
  seen.idle_share = 0.01;
  seen.neighbour_cpus = 0.8;
  CHECK(judged(good_report(), seen).reason.find("other processes kept 0.8 CPUs busy") == 0);
  auto report = good_report();
  report.noisy = true;
  report.noise_reason = "stable but noisy";
  CHECK(judged(report, {}).reason == "stable but noisy");
}

TEST_CASE("assemble: a death becomes the status that explains it, without a throughput") {
  auto report = good_report();
  report.done = false;
  Surroundings seen;
  seen.wait_status = SIGKILL;
  Limits limits;
  limits.memory_bytes = 512U << 20;
  auto record = judged(report, seen, limits);
  CHECK(record.status == Status::failed);
  CHECK(record.throughput.median == 0);
  seen.usage.oom_kills = 1;
  record = judged(report, seen, limits);
  CHECK(record.status == Status::out_of_memory);
  CHECK(record.reason == "out of memory at 512 MiB (cgroup limit)");
  seen.usage.oom_kills = 0;
  seen.timed_out = true;
  seen.timeout_s = 30;
  CHECK(judged(report, seen).status == Status::timed_out);
  seen.awaited = StepRule{StepSource::regex, "step"};
  CHECK(judged(report, seen).status == Status::timed_out);  // a program that printed nothing
  seen.last_words = "loading";
  CHECK(
      judged(report, seen).reason ==
      "ended without a step after 30 s: no line that it printed matched --steps regex:step; the "
      "last line was \"loading\"; a line such as \"step\" would be a step; --timeout waits longer");
  CHECK(judged(report, seen).status == Status::failed);
  seen.timed_out = false;
  seen.awaited.reset();
  seen.last_words.clear();
  report.error_kind = "unsupported";
  report.error_message = "no CUDA device";
  record = judged(report, seen);
  CHECK(record.status == Status::unsupported);
  CHECK(record.reason == "no CUDA device");
}

TEST_CASE("pressure: the kernel's totals in seconds, and nothing where it does not say") {
  const auto both =
      parse_pressure("some avg10=1.00 avg60=2.00 avg300=3.00 total=2500000\nfull total=500000\n");
  CHECK(both.some_s == 2.5);
  CHECK(both.full_s == 0.5);
  CHECK_FALSE(parse_pressure("full avg10=0.00 total=7\n").some_s);
  CHECK_FALSE(parse_pressure("some avg10=0.00 total=seven\n").some_s);
  CHECK_FALSE(parse_pressure("").full_s);
  const TemporaryFolder root;
  std::filesystem::create_directories(root / "proc/pressure");
  std::ofstream(root / "proc/pressure/io") << "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n";
  const auto pressure = read_pressure(root.path());
  CHECK_FALSE(pressure.cpu.some_s);
  CHECK(pressure.io.some_s == test::approx(1e-6));
  CHECK_FALSE(pressure.io.full_s);
}

TEST_CASE("pressure: shares of the window, of the run alone where the kernel can tell") {
  Pressure before;
  Pressure after;
  before.cpu = {1.0, 0.5};
  after.cpu = {3.0, std::nullopt};
  before.io = {0, 0};
  after.io = {9, 2};
  const auto shares = pressure_shares(before, after, 4);
  CHECK(shares.cpu_some == 0.5);
  CHECK_FALSE(shares.cpu_full);
  CHECK(shares.io_some == 1);  // never more than all of it
  CHECK(shares.io_full == 0.5);
  CHECK_FALSE(shares.memory_some);
  Surroundings seen;
  CHECK(judged(good_report(), seen).pressure == PressureShares{});
  seen.machine_pressure.io_some = 0.75;
  CHECK(judged(good_report(), seen).pressure.of == "machine");
  CHECK(judged(good_report(), seen).pressure.io_some == 0.75);
  seen.group_pressure = shares;
  CHECK(judged(good_report(), seen).pressure.of == "run");
  CHECK(judged(good_report(), seen).pressure.cpu_some == 0.5);
}

TEST_CASE("assemble: a slow core is noted, and a very slow one spoils the run") {
  Surroundings seen;
  seen.core_speed = CoreSpeed{1e9, 0.99e9, {}};
  CHECK(judged(good_report(), seen).throttle_notes.empty());
  CHECK(judged(good_report(), seen).core_speed == seen.core_speed);
  seen.core_speed = CoreSpeed{1e9, 0.9e9, {}};
  CHECK(judged(good_report(), seen).throttle_notes ==
        std::vector<std::string>{
            "a core of this machine was 10 % slower after the run than before it"});
  seen.core_speed->usual_per_s = 1.125e9;
  auto record = judged(good_report(), seen);
  CHECK(record.throttle_notes ==
        std::vector<std::string>{"a core of this machine was 20 % slower than usual"});
  CHECK(record.status == Status::measured);
  seen.core_speed->usual_per_s = 1.5e9;
  record = judged(good_report(), seen);
  CHECK(record.status == Status::untrusted);
  CHECK(record.reason.starts_with("a core of this machine was 40 % slower than usual"));
}

TEST_CASE("assemble: high pressure while others are busy is noted, absent pressure is not") {
  Surroundings seen;
  seen.neighbour_cpus = 1.3;
  CHECK(judged(good_report(), seen).throttle_notes.empty());
  seen.machine_pressure.cpu_some = 0.1;
  CHECK(judged(good_report(), seen).throttle_notes.empty());
  seen.machine_pressure.cpu_some = 0.9;
  seen.machine_pressure.io_some = 0.25;
  CHECK(judged(good_report(), seen).throttle_notes ==
        std::vector<std::string>{
            "pressure (PSI): 90 % of the time some task waited for a CPU, for the disk 25 %, while "
            "other processes kept 1.3 CPUs busy"});
  seen.neighbour_cpus = 0;  // it waits for its own quota
  CHECK(judged(good_report(), seen).throttle_notes.empty());
}

TEST_CASE("assemble: the cold part's rate is its items over its time, whatever was read ahead") {
  WorkerReport report = good_report();
  Record record;
  record.part = "cold";
  fill_measurements(report, {}, record);
  const auto windows = steady_windows(report);
  double items = 0;
  double seconds = 0;
  for (const auto& window : windows) {
    items += static_cast<double>(window.items);
    seconds += window.seconds;
  }
  CHECK(record.throughput.median == test::approx(items / seconds));
  report.windows.back().items += 100;  // one quick window moves a mean, not a median
  Record burst;
  burst.part = "cold";
  fill_measurements(report, {}, burst);
  CHECK(burst.throughput.median == test::approx((items + 100) / seconds));
  CHECK(burst.throughput.high - burst.throughput.low >
        record.throughput.high - record.throughput.low);
}
