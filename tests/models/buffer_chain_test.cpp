// The pipeline's bounded buffer against the Markov chain that it is where all times are
// exponential.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <doctest/doctest.h>

#include "models/exponential_factors.h"
#include "models/simulate/pipeline.h"
#include "support/approx.h"

using namespace rightsize;
using namespace rightsize::simulate;

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
  const auto factors = test::exponential_factors();
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
    CHECK(simulated_steps_per_s(1, 1, 2, decode_s, step_s) == test::approx(exact).epsilon(0.004));
    CHECK(BufferChain(1, 1, 3, decode_s, step_s).steps_per_s() ==
          test::approx(exact).epsilon(1e-9));
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
    CHECK(simulated == test::approx(chain.steps_per_s()).epsilon(0.004));
  }
}
