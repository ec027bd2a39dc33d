#include "profiler/serving/serving_task.h"

#include <algorithm>
#include <cerrno>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <time.h>

#include "profiler/measure/built_in_engine.h"
#include "profiler/measure/synthetic_batch.h"

namespace rightsize {
namespace {

class ServingTask : public Task {
 public:
  ServingTask(Minibatches minibatches,
              std::unique_ptr<RequestServer> server,
              std::unique_ptr<SleepingClock> clock,
              double closing_s)
      : minibatches_(std::move(minibatches)),
        server_(std::move(server)),
        clock_(std::move(clock)),
        closing_s_(closing_s) {}

  [[nodiscard]] TaskInfo info() const override { return server_->info(); }

  TaskStep step() override {
    if (!start_s_) {
      start_s_ = clock_->now_s();  // with the first step: loading kept nobody waiting
    }
    TaskStep step;
    const double begin_s = minibatches_.begin_s(now_s());
    if (begin_s > closing_s_) {
      if (!std::isinf(begin_s)) {  // somebody comes, but after closing time
        clock_->sleep_until(*start_s_ + closing_s_);
      }
      step.work_ended = true;
      return step;
    }
    clock_->sleep_until(*start_s_ + begin_s);
    const double awake_s = std::max(now_s(), begin_s);  // a clock may round down
    const auto came = minibatches_.take(awake_s);
    step.result = server_->answer(came.size());
    const double end_s = now_s();
    AnsweredRequests answered;
    for (const double instant_s : came) {
      answered.latency_s.push_back(end_s - instant_s);
    }
    answered.come = minibatches_.come(end_s);
    answered.waiting = minibatches_.waiting(end_s);
    answered.busy_s = end_s - awake_s;
    step.items = came.size();
    step.answered = std::move(answered);
    return step;
  }

 private:
  [[nodiscard]] double now_s() { return clock_->now_s() - *start_s_; }

  Minibatches minibatches_;
  std::unique_ptr<RequestServer> server_;
  std::unique_ptr<SleepingClock> clock_;
  double closing_s_;
  std::optional<double> start_s_;
};

class RealClock : public SleepingClock {
 public:
  [[nodiscard]] double now_s() override { return steady_.now_s(); }

  // The steady clock is CLOCK_MONOTONIC.
  void sleep_until(double instant_s) override {
    const double whole = std::floor(instant_s);
    const timespec deadline{static_cast<time_t>(whole),
                            static_cast<long>((instant_s - whole) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr) == EINTR) {
    }
  }

 private:
  SteadyClock steady_;
};

// One engine for each prepared size, and requests to feed it with.
class Engines : public RequestServer {
 public:
  explicit Engines(const RunSpec& spec) : spec_(spec), network_(network_of(spec)) {
    for (const int size : prepared_sizes(spec.workload.batch)) {
      auto sized = spec;
      sized.workload.batch = size;
      engines_.push_back({size,
                          make_built_in_engine(sized, network_),
                          SyntheticBatch(network_, sized.workload, spec.seed)});
      static_cast<void>(engines_.back().engine->step(
          engines_.back().batch.view()));  // the first step is like no other
    }
  }

  StepResult answer(std::size_t requests) override {
    const auto fits = std::find_if(engines_.begin(), engines_.end(), [&](const Sized& one) {
      return static_cast<std::size_t>(one.size) >= requests;
    });
    return fits->engine->step(fits->batch.view());
  }

  [[nodiscard]] TaskInfo info() const override {
    auto info = describe_engine(*engines_.back().engine, network_, spec_);
    info.engine_memory_bytes = 0;
    std::vector<int> sizes;
    for (const auto& one : engines_) {
      info.engine_memory_bytes += one.engine->memory_bytes();
      sizes.push_back(one.size);
    }
    info.software["minibatches of"] = fmt::format("{}", fmt::join(sizes, " "));
    return info;
  }

 private:
  struct Sized {
    int size;
    std::unique_ptr<Engine> engine;
    SyntheticBatch batch;
  };
  RunSpec spec_;
  Network network_;
  std::vector<Sized> engines_;
};

}  // namespace

std::vector<int> prepared_sizes(int largest) {
  std::vector<int> sizes;
  for (int size = 1; size < largest; size *= 2) {
    sizes.push_back(size);
  }
  sizes.push_back(largest);
  return sizes;
}

std::unique_ptr<Task> make_serving_task(Minibatches minibatches,
                                        std::unique_ptr<RequestServer> server,
                                        std::unique_ptr<SleepingClock> clock,
                                        double closing_s) {
  return std::make_unique<ServingTask>(
      std::move(minibatches), std::move(server), std::move(clock), closing_s);
}

std::unique_ptr<Task> make_serving_task(const RunSpec& spec) {
  const auto& requests = spec.workload.requests.value();
  Minibatches minibatches(Arrivals(requests, spec.seed), spec.workload.batch, requests.max_delay_s);
  return make_serving_task(std::move(minibatches),
                           std::make_unique<Engines>(spec),
                           std::make_unique<RealClock>(),
                           spec.stop.max_s);
}

}  // namespace rightsize
