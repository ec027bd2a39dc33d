#include "advisor/judge/chance.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <string>

namespace rightsize {
namespace {

// Index of each distinct name, so that a draw is an array look-up.
class Names {
 public:
  int index(const std::string& name) {
    return indices_.try_emplace(name, static_cast<int>(indices_.size())).first->second;
  }
  [[nodiscard]] std::size_t size() const { return indices_.size(); }

 private:
  std::map<std::string, int> indices_;
};

struct Places {
  int gpu;
  int cpu;
  int disk;
};

// Of standard deviations: what lies so far off is drawn less than once in a million times.
constexpr double far = 5;

// Whose fifth standard deviation below reaches the first's fifth above; the others win less than
// once in a million draws.
std::vector<std::size_t> within_reach(const std::vector<UncertainCost>& options) {
  const auto& first = options.front();
  const double reach = first.moved(far * first.total_sd());
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (i == 0 || options[i].moved(-far * options[i].total_sd()) <= reach) {
      kept.push_back(i);
    }
  }
  return kept;
}

std::vector<std::size_t> all_of(const std::vector<UncertainCost>& options) {
  std::vector<std::size_t> all(options.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// The least that each may cost, by the same deviations; of costs that move in steps.
std::vector<double> least_costs(const std::vector<UncertainCost>& options, const StepCosts& steps) {
  std::vector<double> least(options.size(), -std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < options.size() && steps.at_least; ++i) {
    least[i] = steps.at_least(i, -far * options[i].total_sd());
  }
  return least;
}

// How far one draw moves ln(cost) of each option: what options share is drawn once for all of them.
class Draws {
 public:
  Draws(const std::vector<UncertainCost>& options,
        const std::vector<std::size_t>& drawn,
        std::uint64_t seed)
      : random_(seed) {
    Names gpus;
    Names cpus;
    Names disks;
    for (const auto i : drawn) {
      const auto& option = options[i];
      options_.push_back(&option);
      places_.push_back({gpus.index(option.gpu), cpus.index(option.cpu), disks.index(option.disk)});
    }
    gpu_.resize(gpus.size());
    cpu_.resize(cpus.size());
    disk_.resize(disks.size());
  }

  // What they share.
  void next() {
    for (auto* values : {&gpu_, &cpu_, &disk_}) {
      std::generate(values->begin(), values->end(), [&] { return normal_(random_); });
    }
    model_ = normal_(random_);
  }

  // By what the i-th that is drawn shares with others.
  [[nodiscard]] double moved_by_all(std::size_t i) const {
    const auto& option = *options_[i];
    const auto& place = places_[i];
    return option.model_sd * model_ +
           option.accelerator_sd * gpu_[static_cast<std::size_t>(place.gpu)] +
           option.cpu_speed_sd * cpu_[static_cast<std::size_t>(place.cpu)] +
           option.disk_sd * disk_[static_cast<std::size_t>(place.disk)];
  }

  // By what is its own; asked once a draw at most, in their order.
  double moved_by_itself(std::size_t i) { return options_[i]->own_sd * normal_(random_); }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::vector<const UncertainCost*> options_;
  std::vector<Places> places_;
  std::vector<double> gpu_;
  std::vector<double> cpu_;
  std::vector<double> disk_;
  double model_ = 0;
};

// One draw's costs, counted for those that win it.
void count_wins(const std::vector<double>& cost,
                const std::vector<std::size_t>& drawn,
                std::vector<double>& wins) {
  const double least = *std::min_element(cost.begin(), cost.end());
  const auto sharing = static_cast<double>(std::count(cost.begin(), cost.end(), least));
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    wins[drawn[i]] += cost[i] == least ? 1 / sharing : 0;
  }
}

// One draw of costs that move in steps. The dearer ones come last: what is not below the least of
// those before it even at the least that it could cost is not worked out.
void draw_steps(const std::vector<UncertainCost>& options,
                const std::vector<double>& least_of_each,
                const StepCosts& steps,
                Draws& of,
                std::vector<double>& cost) {
  double least = std::numeric_limits<double>::infinity();
  const auto too_dear = [&](std::size_t i, double move) {
    return steps.at_least && steps.at_least(i, move) > least;
  };
  for (std::size_t i = 0; i < options.size(); ++i) {
    cost[i] = std::numeric_limits<double>::infinity();
    if (least_of_each[i] > least) {
      continue;
    }
    const double shared = of.moved_by_all(i);
    if (too_dear(i, shared - far * options[i].own_sd)) {
      continue;
    }
    const double move = shared + of.moved_by_itself(i);
    if (!too_dear(i, move)) {
      cost[i] = steps.exact(i, move);
      least = std::min(least, cost[i]);
    }
  }
}

// One draw of costs that move as their bills do, none of them by whole machines.
void draw_bills(const std::vector<UncertainCost>& options,
                const std::vector<std::size_t>& drawn,
                Draws& of,
                std::vector<double>& cost) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const auto& option = options[drawn[i]];
    const double shared = of.moved_by_all(i);
    const bool too_dear = option.moved(shared - far * option.own_sd) > least;
    cost[i] = too_dear ? std::numeric_limits<double>::infinity()
                       : option.moved(shared + of.moved_by_itself(i));
    least = std::min(least, cost[i]);
  }
}

// One draw of costs that move with the time.
void draw_times(const std::vector<UncertainCost>& options,
                const std::vector<std::size_t>& drawn,
                Draws& of,
                std::vector<double>& cost) {
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const auto& option = options[drawn[i]];
    const double shared = of.moved_by_all(i);
    // What no error of its own makes cheaper than the first wins nothing: half of the numbers.
    const bool may_win = i == 0 || option.moved(shared - far * option.own_sd) <= cost[0];
    cost[i] = option.moved(may_win ? shared + of.moved_by_itself(i) : shared);
  }
}

}  // namespace

std::vector<double> draw_chances(const std::vector<UncertainCost>& options,
                                 int draws,
                                 std::uint64_t seed,
                                 const StepCosts& steps) {
  std::vector<double> chances(options.size(), 0.0);
  if (options.empty()) {
    return chances;
  }
  const auto drawn = steps.exact ? all_of(options) : within_reach(options);
  const auto least = steps.exact ? least_costs(options, steps) : std::vector<double>();
  const bool with_time = std::all_of(
      drawn.begin(), drawn.end(), [&](std::size_t i) { return options[i].bill.moves_with_time(); });
  Draws of(options, drawn, seed);
  std::vector<double> cost(drawn.size());
  for (int draw = 0; draw < draws; ++draw) {
    of.next();
    if (steps.exact) {
      draw_steps(options, least, steps, of, cost);
    } else if (with_time) {
      draw_times(options, drawn, of, cost);
    } else {
      draw_bills(options, drawn, of, cost);
    }
    count_wins(cost, drawn, chances);
  }
  for (double& chance : chances) {
    chance /= draws;
  }
  return chances;
}

}  // namespace rightsize
