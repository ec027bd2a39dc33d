// A worker whose work is easy to predict, to try the profiler out on: the network's name says what
// each step does. `profiler_probe worker` is what run_one() executes; `profiler_probe hold` makes a
// long run and waits to be killed; `profiler_probe real` is the worker with the real kernels.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "profiler/measure/runner.h"
#include "profiler/measure/worker.h"

using namespace rightsize;

namespace {

using Seconds = std::chrono::duration<double>;
using SteadyTime = std::chrono::steady_clock;

// Busy on every engine thread for 20 ms of work; how long that takes depends on the limit.
class Spin : public Task {
 public:
  explicit Spin(int threads) : threads_(threads) {}
  [[nodiscard]] TaskInfo info() const override {
    TaskInfo info;
    info.engine_threads = threads_;
    return info;
  }
  TaskStep step() override {
    std::vector<std::thread> others;
    for (int i = 1; i < threads_; ++i) {
      others.emplace_back([this] { work(); });
    }
    work();
    for (auto& other : others) {
      other.join();
    }
    TaskStep step;
    step.items = 10;
    return step;
  }

 private:
  void work() {
    std::uint64_t state = 1;
    for (int i = 0; i < 20'000'000; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    }
    sink_ += state;
  }
  int threads_;
  std::atomic<std::uint64_t> sink_{0};
};

// Eight more MiB of memory each step.
class Hoard : public Task {
 public:
  [[nodiscard]] TaskInfo info() const override { return {}; }
  TaskStep step() override {
    blocks_.emplace_back(8U << 20, 'x');
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    TaskStep step;
    step.items = 1;
    return step;
  }

 private:
  std::vector<std::string> blocks_;
};

// Reads the file at data_path again and again, one MiB an item.
class Reader : public Task {
 public:
  explicit Reader(const std::string& path) : file_(open(path.c_str(), O_RDONLY)) {
    if (file_ < 0) {
      throw std::runtime_error("cannot open " + path);
    }
    size_ = lseek(file_, 0, SEEK_END);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() override { close(file_); }
  [[nodiscard]] TaskInfo info() const override {
    TaskInfo info;
    info.dataset_items = static_cast<std::uint64_t>(size_ >> 20);
    info.dataset_bytes = static_cast<std::uint64_t>(size_);
    return info;
  }
  TaskStep step() override {
    const auto begin = SteadyTime::now();
    const auto count = pread(file_, block_.data(), block_.size(), offset_);
    offset_ += count;
    TaskStep step;
    step.items = 1;
    step.wait_s = Seconds(SteadyTime::now() - begin).count();
    totals_.bytes_read += static_cast<std::uint64_t>(count);
    totals_.read_s += step.wait_s;
    step.last_of_epoch = offset_ >= size_;
    offset_ = step.last_of_epoch ? 0 : offset_;
    return step;
  }
  [[nodiscard]] LoaderTotals totals() const override { return totals_; }

 private:
  int file_;
  off_t size_ = 0;
  off_t offset_ = 0;
  std::vector<char> block_ = std::vector<char>(1 << 20);
  LoaderTotals totals_;
};

class Sleep : public Task {
 public:
  [[nodiscard]] TaskInfo info() const override { return {}; }
  TaskStep step() override {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    TaskStep step;
    step.items = 1;
    return step;
  }
};

std::unique_ptr<Task> make_probe_task(const RunSpec& spec) {
  const auto& name = spec.workload.network;
  if (name == "spin") {
    return std::make_unique<Spin>(engine_threads_of(spec));
  }
  if (name == "hoard") {
    return std::make_unique<Hoard>();
  }
  if (name == "read") {
    return std::make_unique<Reader>(spec.workload.data_path);
  }
  if (name == "sleep") {
    return std::make_unique<Sleep>();
  }
  if (name == "hang") {
    std::this_thread::sleep_for(std::chrono::hours(1));
  }
  if (name == "crash") {
    std::fputs("about to crash\n", stderr);
    std::abort();
  }
  if (name == "gpu") {
    throw EngineError("no such engine here");
  }
  throw std::runtime_error("network = \"" + name + "\": nothing of that name");
}

int hold() {
  RunSpec spec;
  spec.workload.network = "sleep";
  spec.limits.cpus = 0.5;
  spec.limits.memory_bytes = 256U << 20;
  spec.stop.max_s = 60;
  spec.stop.min_s = 60;
  return run_one(spec).status == Status::measured ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "worker") {
    return run_worker(worker_in_fd, worker_out_fd, make_probe_task);
  }
  if (command == "real") {
    return run_worker(worker_in_fd, worker_out_fd);
  }
  if (command == "hold") {
    return hold();
  }
  std::fputs("usage: profiler_probe worker | real | hold\n", stderr);
  return 2;
}
