// The simulator's resources against exact results of queueing theory. Means come with the 99.9 %
// interval of their batch means (Law, "Simulation Modeling and Analysis", section 9.5.3): the exact
// value must lie inside, and the interval must be narrow.
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <doctest/doctest.h>

#include "models/simulate/cpu_pool.h"
#include "models/simulate/random.h"
#include "models/simulate/station.h"
#include "models/simulate/timers.h"

using namespace rightsize;
using namespace rightsize::simulate;

namespace {

constexpr std::size_t most_present = 4096;

// Means of 30 batches of consecutive samples.
class BatchMeans {
 public:
  explicit BatchMeans(int samples) : per_batch_(samples / batches) {}

  void add(double sample) {
    sums_[static_cast<std::size_t>(count_++ / per_batch_)] += sample / per_batch_;
  }
  [[nodiscard]] bool full() const { return count_ >= per_batch_ * batches; }

  void check(double exact, double width) const {
    double mean = 0;
    for (const double sum : sums_) {
      mean += sum / batches;
    }
    double square = 0;
    for (const double sum : sums_) {
      square += (sum - mean) * (sum - mean);
    }
    const double half = 3.659 * std::sqrt(square / (batches - 1) / batches);  // Student, 29 degrees
    CAPTURE(mean);
    CAPTURE(exact);
    CAPTURE(half);
    CHECK(std::abs(mean - exact) < half);
    CHECK(half < width * exact);
  }

 private:
  static constexpr int batches = 30;
  int per_batch_;
  int count_ = 0;
  std::vector<double> sums_ = std::vector<double>(batches, 0.0);
};

// Poisson arrivals to any resource with start(now, actor, work), next() and complete(now); calls
// `sample` with the response time in seconds until it says stop.
template <typename Resource>
void open_queue(Resource& resource,
                double arrivals_per_s,
                Random& random,
                const std::function<void(Nanoseconds, std::size_t)>& start,
                const std::function<bool(double)>& sample) {
  std::vector<Nanoseconds> arrived(most_present);
  std::vector<std::size_t> free;
  for (std::size_t actor = most_present; actor > 0; --actor) {
    free.push_back(actor - 1);
  }
  Nanoseconds arrival = from_seconds(random.exponential(1 / arrivals_per_s));
  while (true) {
    const Nanoseconds done = resource.next();
    if (arrival <= done) {
      if (free.empty()) {
        FAIL("more requests at once than a stable queue should ever hold");
      }
      const auto actor = free.back();
      free.pop_back();
      arrived[actor] = arrival;
      start(arrival, actor);
      arrival += from_seconds(random.exponential(1 / arrivals_per_s));
      continue;
    }
    const auto actor = resource.complete(done);
    free.push_back(actor);
    if (!sample(to_seconds(done - arrived[actor]))) {
      return;
    }
  }
}

// Mean response of a station, the first tenth of the samples left out.
void check_station(std::size_t servers,
                   double arrivals_per_s,
                   double service_s,
                   bool constant,
                   double exact_response_s,
                   double width) {
  constexpr int samples = 600'000;
  Random random(7);
  Station station(servers, most_present);
  BatchMeans means(samples);
  int skipped = 0;
  open_queue(
      station,
      arrivals_per_s,
      random,
      [&](Nanoseconds now, std::size_t actor) {
        station.start(
            now, actor, from_seconds(constant ? service_s : random.exponential(service_s)));
      },
      [&](double response_s) {
        if (++skipped > samples / 10) {
          means.add(response_s);
        }
        return !means.full();
      });
  means.check(exact_response_s, width);
}

// Erlang's C: the chance to wait in M/M/c with offered load a = lambda / mu, c > a.
double erlang_c(int servers, double load) {
  double blocked = 1;  // Erlang B by its recursion
  for (int c = 1; c <= servers; ++c) {
    blocked = load * blocked / (c + load * blocked);
  }
  return blocked / (1 - load / servers * (1 - blocked));
}

}  // namespace

TEST_CASE("station: M/M/1 responds in 1 / (mu - lambda)") {
  check_station(1, 0.5, 1, false, 1 / (1 - 0.5), 0.03);
  check_station(1, 0.8, 1, false, 1 / (1 - 0.8), 0.08);
}

TEST_CASE("station: M/D/1 waits rho / (2 mu (1 - rho))") {  // Pollaczek-Khinchine
  check_station(1, 0.5, 1, true, 1 + 0.5 / (2 * 0.5), 0.02);
  check_station(1, 0.8, 1, true, 1 + 0.8 / (2 * 0.2), 0.05);
}

TEST_CASE("station: M/M/c waits as Erlang's C says") {
  for (const int servers : {2, 5}) {
    const double load = 0.8 * servers;
    const double wait = erlang_c(servers, load) / (servers - load);
    check_station(static_cast<std::size_t>(servers), load, 1, false, 1 + wait, 0.06);
  }
}

TEST_CASE("cpu pool: M/M/1 processor sharing responds like M/M/1, M/D/1 sharing too") {
  // The mean under processor sharing depends on the work's mean only: Kleinrock, "Queueing Systems"
  // vol. 2, section 4.4.
  for (const bool constant : {false, true}) {
    constexpr int samples = 600'000;
    Random random(11);
    CpuPool pool(1.0, most_present);
    BatchMeans means(samples);
    open_queue(
        pool,
        0.7,
        random,
        [&](Nanoseconds now, std::size_t actor) {
          pool.start(now, actor, constant ? 1.0 : random.exponential(1.0));
        },
        [&](double response_s) {
          means.add(response_s);
          return !means.full();
        });
    means.check(1 / (1 - 0.7), 0.05);
  }
}

TEST_CASE("station: machine repair has the throughput of its closed form") {
  // N machines run for Z on average, one mechanic mends one in S: p_n ~ N!/(N-n)! (S/Z)^n; Allen,
  // "Probability, Statistics, and Queueing Theory", section 5.2.6.
  constexpr int machines = 6;
  constexpr double run_s = 4;
  constexpr double mend_s = 1;
  double term = 1;
  double sum = 1;
  for (int n = 1; n <= machines; ++n) {
    term *= (machines - n + 1) * mend_s / run_s;
    sum += term;
  }
  const double exact_between_s = mend_s / (1 - 1 / sum);
  constexpr int samples = 400'000;
  Random random(13);
  Station mechanic(1, machines);
  Timers running(machines);
  for (std::size_t machine = 0; machine < machines; ++machine) {
    running.set(machine, from_seconds(random.exponential(run_s)));
  }
  BatchMeans means(samples);
  Nanoseconds last = 0;
  while (!means.full()) {
    if (running.due() <= mechanic.next()) {
      const auto now = running.due();
      const auto machine = running.first();
      running.set(machine, never);
      mechanic.start(now, machine, from_seconds(random.exponential(mend_s)));
    } else {
      const auto now = mechanic.next();
      running.set(mechanic.complete(now), now + from_seconds(random.exponential(run_s)));
      means.add(to_seconds(now - last));
      last = now;
    }
  }
  means.check(exact_between_s, 0.01);
}
