#include "models/simulate/serving.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <doctest/doctest.h>

#include "profiler/measure/drive.h"
#include "profiler/serving/latencies.h"
#include "profiler/serving/serving_task.h"
#include "support/approx.h"
#include "support/fake_clock.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

// Sleeping moves the clock.
class FakeSleep : public SleepingClock {
 public:
  explicit FakeSleep(FakeClock& clock) : clock_(clock) {}
  [[nodiscard]] double now_s() override { return clock_.now_s(); }
  void sleep_until(double instant_s) override {
    clock_.advance(std::max(0.0, instant_s - clock_.now_s()));
  }

 private:
  FakeClock& clock_;
};

// Takes `fixed_s` and `per_item_s` for each; `hiccup_s` more for the tenth minibatch.
class FakeServer : public RequestServer {
 public:
  FakeServer(FakeClock& clock, double fixed_s, double per_item_s, double hiccup_s = 0)
      : clock_(clock), fixed_s_(fixed_s), per_item_s_(per_item_s), hiccup_s_(hiccup_s) {}
  [[nodiscard]] TaskInfo info() const override { return {}; }
  StepResult answer(std::size_t requests) override {
    clock_.advance(fixed_s_ + per_item_s_ * static_cast<double>(requests) +
                   (++answered_ == 10 ? hiccup_s_ : 0));
    return {};
  }

 private:
  FakeClock& clock_;
  double fixed_s_;
  double per_item_s_;
  double hiccup_s_;
  int answered_ = 0;
};

struct Load {
  Requests requests;
  int max_batch = 1;
  double fixed_s = 0;
  double per_item_s = 0.01;
  double hiccup_s = 0;
  double seconds = 60;
  std::uint64_t seed = 7;
};

struct Seen {
  DriveResult result;
  std::vector<RunWindow> windows;
  Served served;
};

Seen play(const Load& load) {
  FakeClock clock;
  const auto task = make_serving_task(
      Minibatches(Arrivals(load.requests, load.seed), load.max_batch, load.requests.max_delay_s),
      std::make_unique<FakeServer>(clock, load.fixed_s, load.per_item_s, load.hiccup_s),
      std::make_unique<FakeSleep>(clock),
      load.seconds);
  StopOptions stop;
  stop.whole_time = true;
  stop.max_s = load.seconds;
  stop.max_warmup_s = 0.02 * load.seconds;
  Seen seen;
  seen.result = drive(
      *task,
      stop,
      clock,
      [&](const RunWindow& window) { seen.windows.push_back(window); },
      [] { return ProcessCounters{}; });
  std::vector<RunWindow> steady;
  std::copy_if(seen.windows.begin(),
               seen.windows.end(),
               std::back_inserter(steady),
               [](const RunWindow& window) { return !window.warmup; });
  seen.served = served_in(steady, group_size_of(load.requests.arrivals));
  return seen;
}

std::vector<double> all_latencies(const Seen& seen) {
  std::vector<double> all;
  for (const auto& window : seen.windows) {
    all.insert(all.end(), window.latency_s.begin(), window.latency_s.end());
  }
  return all;
}

}  // namespace

TEST_CASE("serving: one by one at a fixed service time is M/D/1") {
  // Mean wait rho D / 2 (1 - rho): Pollaczek and Khinchine.
  for (const double rho : {0.3, 0.7, 0.9}) {
    CAPTURE(rho);
    Load load;
    load.requests.per_s = rho / load.per_item_s;
    load.seconds = 20'000;
    const auto served = play(load).served;
    const double wait_s = rho * load.per_item_s / (2 * (1 - rho));
    CHECK(served.mean_s == test::approx(load.per_item_s + wait_s).epsilon(0.03));
    CHECK(served.busy == test::approx(rho).epsilon(0.02));
    CHECK(served.answered_per_s == test::approx(load.requests.per_s).epsilon(0.02));
    CHECK(served.mean_batch == 1);
    CHECK_FALSE(served.saturated);
    CHECK(served.p50_s <= served.p95_s);
    CHECK(served.p95_s <= served.p99_low_s);
    CHECK(served.p99_low_s <= served.p99_s);
    CHECK(served.p99_s <= served.p99_high_s.value());
    CHECK(served.p99_high_s.value() <= served.most_s * 1.004);
  }
}

TEST_CASE("serving: batches as the simulator does, request by request") {
  Requests requests;
  requests.per_s = 150;
  requests.arrivals = "bursty:3";
  requests.max_delay_s = 0.02;
  Load load{requests, 4, 0.01, 0.004};
  load.seconds = 40;
  auto measured = all_latencies(play(load));

  Arrivals arrivals(requests, 7);
  std::vector<simulate::Nanoseconds> instants;
  for (double at_s = arrivals.next_s(); instants.size() < measured.size();
       at_s = arrivals.next_s()) {
    instants.push_back(simulate::from_seconds(at_s));
  }
  ServingLoad same;
  same.requests_per_s = requests.per_s;
  same.max_batch = 4;
  same.max_delay_s = 0.02;
  ServingOptions options;
  options.arrivals = instants;
  const auto simulated = simulate_serving(StepTimeLaw{0.01, 0.004}, same, options);
  // Who came after the last that was answered may have joined its minibatch: all but that one.
  REQUIRE(measured.size() > 5000);
  double sum = 0;
  for (const double latency_s : measured) {
    sum += latency_s;
  }
  CHECK(sum / static_cast<double>(measured.size()) == test::approx(simulated.mean_s).epsilon(1e-4));
  CHECK(*std::max_element(measured.begin(), measured.end()) ==
        test::approx(simulated.most_s).epsilon(1e-6));
}

TEST_CASE("serving: a hiccup is felt by everybody who came meanwhile") {
  Load load;
  load.requests.per_s = 20;
  load.hiccup_s = 5;
  const auto late = [](const Seen& seen) {
    const auto all = all_latencies(seen);
    return std::count_if(all.begin(), all.end(), [](double latency_s) { return latency_s > 1; });
  };
  // In a closed loop it would be one request.
  CHECK(late(play(load)) > 60);
  load.hiccup_s = 0;
  CHECK(late(play(load)) == 0);
}

TEST_CASE("serving: more requests than can be answered is saturation, and is said") {
  Load load;
  load.requests.per_s = 130;
  auto seen = play(load);
  CHECK(seen.served.saturated);
  CHECK(seen.served.busy > 0.99);
  CHECK(seen.served.answered_per_s == test::approx(100).epsilon(0.01));
  CHECK(seen.served.offered_per_s == test::approx(130).epsilon(0.05));
  CHECK(seen.served.waiting > 1000);
  CHECK_FALSE(seen.result.noisy);
  auto rested = seen.windows;  // what lies between its minibatches is not the engine's time
  std::erase_if(rested, [](const RunWindow& window) { return window.warmup; });
  for (auto& window : rested) {
    window.busy_s *= 0.7;
  }
  CHECK(served_in(rested, 1).saturated);
  CHECK(served_in(rested, std::nullopt).saturated);
  load.max_batch = 8;  // answered together at the price of one
  load.fixed_s = load.per_item_s;
  load.per_item_s = 0;
  seen = play(load);
  CHECK_FALSE(seen.served.saturated);
  CHECK(seen.served.mean_batch > 1);
}

TEST_CASE("serving: in bursts the queue grows for a while without saturation") {
  Load load;
  load.requests.per_s = 160;
  load.requests.arrivals = "bursty:64";
  load.per_item_s = 0.005;  // four fifths of what it can do
  load.seconds = 30;
  int called_saturated = 0;
  for (load.seed = 0; load.seed < 100; ++load.seed) {
    called_saturated += play(load).served.saturated ? 1 : 0;
  }
  CHECK(called_saturated <= 3);  // 14 where they are taken for single callers
  load.requests.per_s = 400;
  CHECK(play(load).served.saturated);
}

TEST_CASE("serving: requests in, requests answered or waiting") {
  Load load;
  load.requests.per_s = 80;
  const auto seen = play(load);
  std::uint64_t come = 0;
  std::uint64_t answered = 0;
  for (const auto& window : seen.windows) {
    come += window.come;
    answered += window.items;
    CHECK(window.items == window.latency_s.size());
    CHECK(window.busy_s <= window.seconds + 1e-9);
  }
  CHECK(come == answered + seen.windows.back().waiting);
  std::uint64_t counted = 0;
  for (const auto& count : seen.served.latencies) {
    counted += count.requests;
  }
  CHECK(counted < answered);  // not those of the warm-up
  CHECK(counted > answered * 9 / 10);
}

TEST_CASE(
    "serving: the same seed gives the same arrivals, at the rate and in the groups asked for") {
  Requests requests;
  requests.per_s = 50;
  requests.arrivals = "bursty:4";
  Arrivals first(requests, 3);
  Arrivals second(requests, 3);
  Arrivals other(requests, 4);
  constexpr int many = 40'000;
  double last_s = -1;
  int groups = 0;
  bool differs = false;
  for (int i = 0; i < many; ++i) {
    const double at_s = first.next_s();
    CHECK_EQ(at_s, second.next_s());
    differs = differs || at_s != other.next_s();
    groups += at_s > last_s ? 1 : 0;
    last_s = at_s;
  }
  CHECK(differs);
  CHECK(many / last_s == test::approx(50).epsilon(0.05));
  CHECK(static_cast<double>(many) / groups == test::approx(4).epsilon(0.05));
}

TEST_CASE("serving: a file of arrivals is read, and what is wrong in it is named") {
  const TemporaryFolder folder;
  const auto path = folder.write("arrivals.txt", "# seconds\n0.5\n\n0.5\n2\n");
  Requests requests;
  requests.arrivals = path;
  Arrivals arrivals(requests, 1);
  CHECK(arrivals.next_s() == 0.5);
  CHECK(arrivals.next_s() == 0.5);
  CHECK(arrivals.next_s() == 2);
  CHECK(std::isinf(arrivals.next_s()));
  Load load;
  load.requests = requests;
  const auto seen = play(load);
  CHECK(all_latencies(seen).size() == 3);
  CHECK(seen.result.warmup_s < 3);  // it ends with the file

  folder.write("arrivals.txt", "1\n0.5\n");
  CHECK_THROWS_WITH_AS(static_cast<void>(load_arrivals(path)),
                       (path + ":2: arrives before the line above; sort the file").c_str(),
                       ArrivalsError);
  folder.write("arrivals.txt", "1\nsoon\n");
  CHECK_THROWS_WITH_AS(
      static_cast<void>(load_arrivals(path)),
      (path + ":2: \"soon\": expected the second at which a request arrives").c_str(),
      ArrivalsError);
  folder.write("arrivals.txt", "1\n");
  CHECK_THROWS_AS(static_cast<void>(load_arrivals(path)), ArrivalsError);
  CHECK_THROWS_AS(static_cast<void>(load_arrivals(folder / "none")), ArrivalsError);
  CHECK_FALSE(group_size_of("bursty:0.5"));
  CHECK_FALSE(group_size_of("bursty:"));
  CHECK(group_size_of("bursty:2.5") == 2.5);
}

TEST_CASE("serving: engines are prepared for powers of two and the largest minibatch") {
  CHECK(prepared_sizes(1) == std::vector<int>{1});
  CHECK(prepared_sizes(8) == std::vector<int>{1, 2, 4, 8});
  CHECK(prepared_sizes(12) == std::vector<int>{1, 2, 4, 8, 12});
}
