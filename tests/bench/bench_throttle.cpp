// What the harness itself costs: the same work bare, and through run_one() without limits (fresh
// process, control groups, sampling). Rounds alternate, so that drift hits both alike.
//   bench_throttle [rounds]
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "profiler/measure/clock.h"
#include "profiler/measure/runner.h"
#include "profiler/measure/statistics.h"
#include "profiler/measure/worker.h"

using namespace rightsize;

namespace {

constexpr double seconds_per_round = 2;

class Chain : public Task {
 public:
  [[nodiscard]] TaskInfo info() const override { return {}; }
  TaskStep step() override {
    for (int i = 0; i < 2'000'000; ++i) {
      state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    }
    TaskStep step;
    step.items = state_ == 0 ? 0 : 1;  // the work cannot be optimised away
    return step;
  }

 private:
  std::uint64_t state_ = 1;
};

double bare_rate() {
  Chain chain;
  SteadyClock clock;
  std::vector<double> rates;
  const double begin_s = clock.now_s();
  while (clock.now_s() - begin_s < seconds_per_round) {
    const double window_s = clock.now_s();
    std::size_t items = 0;
    while (clock.now_s() - window_s < 0.2) {
      items += chain.step().items;
    }
    rates.push_back(static_cast<double>(items) / (clock.now_s() - window_s));
  }
  return median(rates);
}

double harness_rate() {
  RunSpec spec;
  spec.stop.window_s = 0.2;
  spec.stop.max_warmup_s = 0.2;
  spec.stop.max_s = seconds_per_round;
  spec.stop.min_s = seconds_per_round;
  return run_one(spec).throughput.median;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "worker") == 0) {
    return run_worker(
        worker_in_fd, worker_out_fd, [](const RunSpec&) { return std::make_unique<Chain>(); });
  }
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  std::vector<double> ratios;
  for (int round = 0; round < rounds; ++round) {
    const double bare = bare_rate();
    const double harness = harness_rate();
    ratios.push_back(harness / bare);
    std::printf("round %d: bare %.1f steps/s, harness %.1f steps/s, ratio %.4f\n",
                round,
                bare,
                harness,
                harness / bare);
  }
  const auto summary = summarize(ratios);
  std::printf(
      "harness / bare: median %.4f [%.4f, %.4f]\n", summary.median, summary.low, summary.high);
  return 0;
}
