#include "profiler/measure/drive.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/approx.h"
#include "support/fake_clock.h"

using namespace rightsize;

namespace {

// `cold` seconds an item in the first epoch, `warm` seconds after it; 8 items a step.
class FakeTask : public Task {
 public:
  FakeTask(FakeClock& clock, std::size_t epoch_steps, double cold, double warm)
      : clock_(clock), epoch_steps_(epoch_steps), cold_(cold), warm_(warm) {}

  [[nodiscard]] TaskInfo info() const override {
    TaskInfo info;
    info.dataset_items = 8 * epoch_steps_;
    return info;
  }
  TaskStep step() override {
    if (steps_ >= end_after_) {
      TaskStep over;
      over.work_ended = true;
      return over;
    }
    const bool first = epoch_steps_ == 0 || steps_ < epoch_steps_;
    clock_.advance(8 * (first ? cold_ : warm_));
    ++steps_;
    totals_.bytes_read += 800;
    totals_.read_s += 0.25;
    TaskStep step;
    step.items = 8;
    step.wait_s = 0.125;
    step.result.loss = steps_ > diverge_after_ ? std::nan("") : 10.0 - static_cast<double>(steps_);
    step.last_of_epoch = epoch_steps_ > 0 && steps_ % epoch_steps_ == 0;
    return step;
  }
  [[nodiscard]] LoaderTotals totals() const override { return totals_; }
  void end_after(std::size_t steps) { end_after_ = steps; }
  void diverge_after(std::size_t steps) { diverge_after_ = steps; }

 private:
  FakeClock& clock_;
  std::size_t epoch_steps_;
  double cold_;
  double warm_;
  std::size_t steps_ = 0;
  std::size_t diverge_after_ = 1'000'000;
  std::size_t end_after_ = 1'000'000;
  LoaderTotals totals_;
};

struct Driven {
  DriveResult result;
  std::vector<RunWindow> windows;
};

Driven run(FakeTask& task, FakeClock& clock) {
  Driven driven;
  driven.result = drive(
      task,
      StopOptions{},
      clock,
      [&](const RunWindow& window) { driven.windows.push_back(window); },
      [&] {
        return ProcessCounters{clock.now_s() * 2, 0, 0};
      });
  return driven;
}

}  // namespace

TEST_CASE("drive: windows hold whole steps and everything counted in them") {
  FakeClock clock;
  FakeTask task(clock, 0, 0.0125, 0.0125);  // 0.1 s a step
  const auto driven = run(task, clock);
  REQUIRE(driven.windows.size() == 3 + 6);
  for (const auto& window : driven.windows) {
    const auto steps = window.step_s.size();
    CHECK(window.seconds == test::approx(0.1 * static_cast<double>(steps)));
    CHECK(window.seconds >= 0.5 - 1e-9);
    CHECK(window.items == 8 * steps);
    CHECK(window.bytes_requested == 800 * steps);
    CHECK(window.stages.read == test::approx(0.25 * static_cast<double>(steps)));
    CHECK(window.stages.wait == test::approx(0.125 * static_cast<double>(steps)));
    CHECK(window.cpu_s == test::approx(2 * window.seconds));
  }
  CHECK(driven.windows.front().first_loss == 9.0);
  CHECK_FALSE(driven.result.noisy);
  CHECK_FALSE(driven.result.cold_items_per_s.has_value());
}

TEST_CASE("drive: the cold epoch is rated apart and the second epoch is waited for") {
  FakeClock clock;
  FakeTask task(clock, 20, 0.02, 0.01);  // epochs of 160 items: 3.2 s cold, 1.6 s warm
  const auto driven = run(task, clock);
  CHECK(driven.result.cold_items_per_s.value() == test::approx(50));
  CHECK(driven.windows.back().epochs_done >= 2);
  for (const auto& window : driven.windows) {  // no window mixes cold and warm steps
    const double rate = static_cast<double>(window.items) / window.seconds;
    CHECK(rate == test::approx(window.epoch == 0 ? 50 : 100));
  }
}

TEST_CASE("drive: a loss that is no longer a number is left out, not reported as one") {
  FakeClock clock;
  FakeTask task(clock, 0, 0.0125, 0.0125);
  task.diverge_after(2);
  const auto driven = run(task, clock);
  CHECK(driven.windows.front().last_loss == 8.0);
  CHECK_FALSE(driven.windows.back().last_loss.has_value());
}

TEST_CASE("drive: windows survive their JSON form") {
  FakeClock clock;
  FakeTask task(clock, 20, 0.02, 0.01);
  const auto window = run(task, clock).windows.back();
  CHECK(boost::json::serialize(to_json(window_from_json(to_json(window)))) ==
        boost::json::serialize(to_json(window)));
}

TEST_CASE("drive: where several epochs fit into the budget, windows are whole epochs") {
  FakeClock clock;
  FakeTask task(clock, 10, 0.0125, 0.01);  // a cold epoch of 1 s, warm ones of 0.8 s
  const auto driven = run(task, clock);
  for (const auto& window : driven.windows) {
    if (window.epoch > 0) {
      CHECK(window.items == 80);
      CHECK(window.epochs_done == window.epoch + 1);
    }
  }
  CHECK(driven.windows.back().epoch >= 5);
}

TEST_CASE("drive: a dataset too long for that is cut by time") {
  FakeClock clock;
  FakeTask task(clock, 40, 0.0125, 0.01);  // a cold epoch of 4 s in a budget of 10
  const auto driven = run(task, clock);
  const bool shorter = std::any_of(driven.windows.begin(),
                                   driven.windows.end(),
                                   [](const RunWindow& w) { return w.epoch > 0 && w.items < 320; });
  CHECK(shorter);
}

TEST_CASE("drive: work that ends by itself ends the measurement") {
  FakeClock clock;
  FakeTask task(clock, 0, 0.0125, 0.0125);
  task.end_after(20);  // 2 s of work: two windows after the warm-up
  const auto driven = run(task, clock);
  CHECK(driven.result.noisy);
  CHECK_FALSE(driven.result.reason.empty());
  FakeTask longer(clock, 0, 0.0125, 0.0125);
  longer.end_after(30);
  CHECK_FALSE(run(longer, clock).result.noisy);
}

namespace {

// Tells its loss 50 ms into a step and the step 2 ms later, as training programs print them.
class TellsLossFirst : public Task {
 public:
  explicit TellsLossFirst(FakeClock& clock) : clock_(clock) {}

  [[nodiscard]] TaskInfo info() const override { return {}; }
  TaskStep step() override {
    const bool loss = ++told_ % 2 == 1;
    clock_.advance(loss ? 0.050 : 0.002);
    TaskStep step;
    step.steps = loss ? 0 : 1;
    step.items = loss ? 0 : 8;
    if (loss) {
      step.result.loss = 1.25F;
    }
    return step;
  }

 private:
  FakeClock& clock_;
  int told_ = 0;
};

}  // namespace

TEST_CASE("drive: a step whose loss is told before it lasts as long as both") {
  FakeClock clock;
  TellsLossFirst task(clock);
  std::vector<RunWindow> windows;
  static_cast<void>(drive(
      task,
      StopOptions{},
      clock,
      [&](const RunWindow& window) { windows.push_back(window); },
      [&] {
        return ProcessCounters{clock.now_s(), 0, 0};
      }));
  REQUIRE(windows.size() > 3);
  for (const auto& window : windows) {
    for (const double step_s : window.step_s) {
      CHECK(step_s == test::approx(0.052));
    }
  }
}
