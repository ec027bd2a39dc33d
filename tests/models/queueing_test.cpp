// The simulator's resources against exact results of queueing theory. Means come with the 99.9 %
// interval of their batch means (Law, "Simulation Modeling and Analysis", section 9.5.3): the exact
// value must lie inside, and the interval must be narrow.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <doctest/doctest.h>

#include "models/simulate/cpu_pool.h"
#include "models/simulate/pipeline.h"
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

namespace {

// Minibatches of one item through loader threads on shared CPUs, a bounded buffer that keeps their
// order and an accelerator, all times exponential: a Markov chain. A state is the accelerator
// ('B' busy, 'I' idle) and, in order, what the claimed minibatches are: 'h' in hand, 'r' ready.
class BufferChain {
 public:
  BufferChain(int workers, double cores, int room, double decode_s, double step_s)
      : workers_(workers), cores_(cores), room_(room), decode_s_(decode_s), step_s_(step_s) {
    number(settled("I"));
    for (std::size_t i = 0; i < states_.size(); ++i) {  // grows while it is walked
      explore(i);
    }
  }

  [[nodiscard]] double steps_per_s() const {
    const auto size = static_cast<Eigen::Index>(states_.size());
    Eigen::MatrixXd balance = Eigen::MatrixXd::Zero(size, size);
    for (const auto& [from, to, rate] : moves_) {
      balance(to, from) += rate;
      balance(from, from) -= rate;
    }
    balance.row(0).setOnes();  // the chances sum to one
    Eigen::VectorXd one = Eigen::VectorXd::Zero(size);
    one[0] = 1;
    const Eigen::VectorXd chance = balance.fullPivLu().solve(one);
    double busy = 0;
    for (Eigen::Index i = 0; i < size; ++i) {
      busy += states_[static_cast<std::size_t>(i)][0] == 'B' ? chance[i] : 0;
    }
    return busy / step_s_;
  }

 private:
  struct Move {
    Eigen::Index from, to;
    double rate;
  };

  // What follows at once: a step starts on the first minibatch, free workers claim while there is
  // room.
  [[nodiscard]] std::string settled(std::string state) const {
    if (state[0] == 'I' && state.size() > 1 && state[1] == 'r') {
      state.erase(1, 1);
      state[0] = 'B';
    }
    auto in_hand = std::count(state.begin(), state.end(), 'h');
    while (in_hand < workers_ && static_cast<int>(state.size()) - 1 < room_) {
      state += 'h';
      ++in_hand;
    }
    return state;
  }

  Eigen::Index number(const std::string& state) {
    const auto [place, fresh] = numbers_.emplace(state, static_cast<Eigen::Index>(states_.size()));
    if (fresh) {
      states_.push_back(state);
    }
    return place->second;
  }

  void explore(std::size_t index) {
    const std::string state = states_[index];
    const auto from = static_cast<Eigen::Index>(index);
    const auto in_hand = static_cast<double>(std::count(state.begin(), state.end(), 'h'));
    if (state[0] == 'B') {
      auto after = state;
      after[0] = 'I';
      moves_.push_back({from, number(settled(after)), 1 / step_s_});
    }
    for (std::size_t i = 1; i < state.size(); ++i) {
      if (state[i] == 'h') {
        auto after = state;
        after[i] = 'r';
        const double share = std::min(1.0, cores_ / in_hand);
        moves_.push_back({from, number(settled(after)), share / decode_s_});
      }
    }
  }

  int workers_;
  double cores_;
  int room_;
  double decode_s_;
  double step_s_;
  std::vector<std::string> states_;
  std::map<std::string, Eigen::Index> numbers_;
  std::vector<Move> moves_;
};

// 2^14 equally likely slices of the exponential distribution, each at its median, mean 1.
std::vector<double> exponential_factors() {
  constexpr int slices = 1 << 14;
  std::vector<double> factors(slices);
  double mean = 0;
  for (int i = 0; i < slices; ++i) {
    factors[static_cast<std::size_t>(i)] = -std::log(1 - (i + 0.5) / slices);
    mean += factors[static_cast<std::size_t>(i)] / slices;
  }
  for (double& factor : factors) {
    factor /= mean;
  }
  return factors;
}

double simulated_steps_per_s(
    int workers, double cores, int prefetch, double decode_s, double step_s) {
  Laws laws;
  laws.data_cpu_s = decode_s;
  laws.scaling = {0, 0};
  Setting setting;
  setting.workload.engine = EngineKind::replay;
  setting.workload.data = DataFormat::recordio;
  setting.workload.batch = 1;
  setting.workload.prefetch_batches = prefetch;
  setting.cpus = cores;
  setting.loader_threads = workers;
  setting.accelerator_items_per_s = 1 / step_s;
  const auto factors = exponential_factors();
  SimulationOptions options;
  options.items = 1'500'000;
  options.miss_ratio = 0;
  options.decode_factors = factors;
  options.step_factors = factors;
  options.quota_period_s = 0;  // cores in parts, as the chain has them
  return simulate_pipeline(laws, setting, options).items_per_s;
}

}  // namespace

TEST_CASE("pipeline: one worker and a buffer are M/M/1/K, exactly") {
  // Room for prefetch + 1 waiting minibatches and one in the accelerator: K = prefetch + 2.
  for (const double load : {0.7, 1.3}) {
    const double step_s = 1e-3;
    const double decode_s = step_s / load;
    const double idle = (1 - load) / (1 - std::pow(load, 5));
    const double exact = (1 - idle) / step_s;
    CHECK(simulated_steps_per_s(1, 1, 2, decode_s, step_s) ==
          doctest::Approx(exact).epsilon(0.004));
    CHECK(BufferChain(1, 1, 3, decode_s, step_s).steps_per_s() ==
          doctest::Approx(exact).epsilon(1e-9));
  }
}

TEST_CASE("pipeline: workers on shared cores with ordered delivery are their Markov chain") {
  struct Case {
    int workers;
    double cores;
    int prefetch;
    double decode_s;
    double step_s;
  };
  for (const auto& c :
       {Case{2, 1.5, 1, 1e-3, 0.8e-3}, Case{3, 2, 0, 2e-3, 1e-3}, Case{4, 4, 2, 3e-3, 1e-3}}) {
    const BufferChain chain(c.workers, c.cores, c.prefetch + c.workers, c.decode_s, c.step_s);
    const double simulated =
        simulated_steps_per_s(c.workers, c.cores, c.prefetch, c.decode_s, c.step_s);
    CAPTURE(c.workers);
    CHECK(simulated == doctest::Approx(chain.steps_per_s()).epsilon(0.004));
  }
}
