// How exactly each limit bites: what was asked for against what a program got that wants all there
// is, under the throttle of this machine. Through run_one(), as every measurement is.
//   bench_throttle_accuracy [folder on the disk to be limited] [unprivileged | short]
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "profiler/baseline/direct_file.h"
#include "profiler/measure/runner.h"
#include "profiler/measure/worker.h"

using namespace rightsize;

namespace {

constexpr double mega = 1e6;
constexpr double mebi = 1 << 20;
constexpr std::uint64_t small = 4096;  // of the random requests

// Two threads of arithmetic want more than any quota asked for here.
class Burn : public Task {
 public:
  [[nodiscard]] TaskInfo info() const override { return {}; }
  TaskStep step() override {
    std::uint64_t other = 0;
    std::thread second([&] { other = chain(); });
    const auto sum = chain();
    second.join();
    TaskStep step;
    step.items = sum + other == 0 ? 0 : 1;  // the work cannot be optimised away
    return step;
  }

 private:
  static std::uint64_t chain() {
    std::uint64_t state = 1;
    for (int i = 0; i < 20'000'000; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    }
    return state;
  }
};

// Touches 8 MiB more with each step, until the limit ends it; where none is imposed, up to twice as
// much.
class Hoard : public Task {
 public:
  explicit Hoard(std::uint64_t limit_bytes) : most_(2 * limit_bytes) {}
  [[nodiscard]] TaskInfo info() const override { return {}; }
  TaskStep step() override {
    constexpr std::size_t more = 8 << 20;
    TaskStep step;
    step.work_ended = blocks_.size() * more >= most_;
    if (!step.work_ended) {
      blocks_.emplace_back(more, static_cast<char>(1 + blocks_.size() % 7));
      step.items = 1;
    }
    return step;
  }

 private:
  std::uint64_t most_;
  std::vector<std::string> blocks_;
};

// Requests past the page cache; how many came through is counted by the kernel, not here.
class Disk : public Task {
 public:
  Disk(const std::string& folder, DirectFile::Load load)
      : file_(fmt::format("{}/rightsize.{}.accuracy", folder, getpid()), 64 << 20), load_(load) {
    file_.fill();
  }
  [[nodiscard]] TaskInfo info() const override { return {}; }
  TaskStep step() override {
    constexpr double look_s = 1;  // few starts: a fresh throttle lets a first burst through
    TaskStep step;
    step.items = static_cast<std::size_t>(file_.run(load_, look_s) * look_s);
    return step;
  }

 private:
  DirectFile file_;
  DirectFile::Load load_;
};

std::unique_ptr<Task> make_wanting_task(const RunSpec& spec) {
  const auto& wanted = spec.workload.network;
  if (wanted == "cpu") {
    return std::make_unique<Burn>();
  }
  if (wanted == "memory") {
    return std::make_unique<Hoard>(spec.limits.memory_bytes);
  }
  const bool requests = wanted.ends_with("IOPS");
  DirectFile::Load load;
  load.write = wanted.starts_with("write");
  load.random = requests;
  load.block_bytes = requests ? small : 256 * 1024;
  load.depth = 4;
  return std::make_unique<Disk>(spec.workload.data_path, load);
}

struct Case {
  const char* wanted;
  double asked;
  const char* unit;
  void (*limit)(Limits& limits, double asked);
  bool in_short = false;  // one of each kind
};

constexpr auto cpu = [](Limits& limits, double asked) { limits.cpus = asked; };
constexpr auto memory = [](Limits& limits, double asked) {
  limits.memory_bytes = static_cast<std::uint64_t>(asked * mebi);
};
constexpr auto read = [](Limits& limits, double asked) {
  limits.disk_read_bytes_per_s = asked * mega;
};
constexpr auto write_rate = [](Limits& limits, double asked) {
  limits.disk_write_bytes_per_s = asked * mega;
};
constexpr auto read_iops = [](Limits& limits, double asked) { limits.disk_read_iops = asked; };
constexpr auto write_iops = [](Limits& limits, double asked) { limits.disk_write_iops = asked; };

constexpr std::array cases{Case{"cpu", 0.25, "CPUs", cpu},
                           Case{"cpu", 0.5, "CPUs", cpu, true},
                           Case{"cpu", 1, "CPUs", cpu},
                           Case{"cpu", 1.5, "CPUs", cpu},
                           Case{"memory", 128, "MiB", memory, true},
                           Case{"memory", 512, "MiB", memory},
                           Case{"read", 20, "MB/s", read, true},
                           Case{"read", 50, "MB/s", read},
                           Case{"read", 100, "MB/s", read},
                           Case{"write", 20, "MB/s", write_rate, true},
                           Case{"write", 50, "MB/s", write_rate},
                           Case{"write", 100, "MB/s", write_rate},
                           Case{"read IOPS", 200, "1/s", read_iops, true},
                           Case{"read IOPS", 1000, "1/s", read_iops},
                           Case{"write IOPS", 200, "1/s", write_iops, true},
                           Case{"write IOPS", 1000, "1/s", write_iops}};

double achieved(const Case& wish, const Record& record) {
  const std::string wanted = wish.wanted;
  if (wanted == "cpu") {
    return record.achieved_cpus;
  }
  if (wanted == "memory") {
    const auto charged = record.peak_memory_bytes;
    return static_cast<double>(charged > 0 ? charged : record.peak_rss_bytes) / mebi;
  }
  const auto bytes =
      wanted.starts_with("write") ? record.disk_written_bytes : record.disk_read_bytes;
  const double rate = record.seconds > 0 ? static_cast<double>(bytes) / record.seconds : 0;
  return rate / (wanted.ends_with("IOPS") ? static_cast<double>(small) : mega);
}

Record measured(const Case& wish, const std::string& folder, bool privileged) {
  RunSpec spec;
  spec.name = wish.wanted;
  spec.workload.network = wish.wanted;
  spec.workload.data_path = folder;
  spec.stop.window_s = 0.5;
  spec.stop.max_warmup_s = 1;
  spec.stop.min_s = 4;
  spec.stop.max_s = 6;
  spec.timeout_s = 60;
  wish.limit(spec.limits, wish.asked);
  RunOptions options;
  options.privileged = privileged;
  options.drop_cache = false;
  return run_one(spec, options);
}

// Without control groups only our own loader holds itself back: a program reads as it likes.
std::string verdict(const Case& wish, const Record& record) {
  if (record.throttle == "unprivileged" && wish.wanted == std::string_view("read")) {
    return "not imposed on a program, only on our own loader";
  }
  return std::string(to_string(record.status)) +
         (record.reason.empty() ? "" : ": " + record.reason);
}

// Of the whole machine under cgroup v1, which has no pressure of its own.
std::string waited(const PressureShares& pressure) {
  return pressure.of.empty() ? "unknown"
                             : fmt::format("{}: cpu {:.0f} %, io {:.0f} %",
                                           pressure.of,
                                           100 * pressure.cpu_some.value_or(0),
                                           100 * pressure.io_some.value_or(0));
}

void print_table(const std::string& folder, bool privileged, bool only_short) {
  fmt::print(
      "| limit | asked | achieved | ratio | by | waited (PSI) | status "
      "|\n|---|--:|--:|--:|---|---|---|\n");
  for (const auto& wish : cases) {
    if (only_short && !wish.in_short) {
      continue;
    }
    const auto record = measured(wish, folder, privileged);
    const double got = achieved(wish, record);
    const bool known = got > 0;
    fmt::print("| {} | {:g} {} | {} | {} | {} | {} | {} |\n",
               wish.wanted,
               wish.asked,
               wish.unit,
               known ? fmt::format("{:.4g} {}", got, wish.unit) : "unknown",
               known ? fmt::format("{:.3f}", got / wish.asked) : "unknown",
               record.throttle,
               waited(record.pressure),
               verdict(wish, record));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "worker") == 0) {
    return run_worker(worker_in_fd, worker_out_fd, make_wanting_task);
  }
  const std::string folder = argc > 1 ? argv[1] : ".";
  const std::string how = argc > 2 ? argv[2] : "";
  try {
    print_table(folder, how != "unprivileged", how == "short");
  } catch (const Interrupted& stopped) {
    fmt::print(stderr, "{}\n", stopped.what());
    return 130;
  }
  return 0;
}
