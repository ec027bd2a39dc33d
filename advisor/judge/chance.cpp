#include "advisor/judge/chance.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

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

double total_sd(const UncertainCost& option) {
  double variance = 0;
  for (const double sd : {option.model_sd,
                          option.accelerator_sd,
                          option.cpu_speed_sd,
                          option.disk_sd,
                          option.own_sd}) {
    variance += sd * sd;
  }
  return std::sqrt(variance);
}

// Of standard deviations: what lies so far off is drawn less than once in a million times.
constexpr double far = 5;

// Those that any draw could make cheaper than the first: no other can be the cheapest. An option
// whose fifth standard deviation below does not reach the first's fifth above wins against it less
// than once in a million draws: it is not drawn. The first's upper end is asked of `steps`, which
// may move it by a whole machine or to infinity: then everybody is drawn.
std::vector<std::size_t> contenders(const std::vector<UncertainCost>& options,
                                    const StepCost& steps) {
  // How far below a cost may be for moving in steps, two machines or one. It is not asked of
  // `steps`, which would work out the fleets of all that are never drawn.
  const double rounding = steps ? std::log(2.0) : 0;
  const auto& first = options.front();
  const double reach = far * total_sd(first);
  const double first_upper = steps ? steps(0, reach) : first.log_mean + reach;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const double lower = options[i].log_mean - far * total_sd(options[i]) - rounding;
    if (i == 0 || lower <= first_upper) {
      kept.push_back(i);
    }
  }
  return kept;
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
                Chances& chances) {
  const double least = *std::min_element(cost.begin(), cost.end());
  const auto sharing = static_cast<double>(std::count(cost.begin(), cost.end(), least));
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    chances.cheapest[drawn[i]] += cost[i] == least ? 1 / sharing : 0;
    chances.beats_first[drawn[i]] += cost[i] < cost[0] ? 1 : i > 0 && cost[i] == cost[0] ? 0.5 : 0;
  }
}

}  // namespace

Chances draw_chances(const std::vector<UncertainCost>& options,
                     int draws,
                     std::uint64_t seed,
                     const StepCost& steps) {
  Chances chances{std::vector<double>(options.size(), 0.0),
                  std::vector<double>(options.size(), 0.0)};
  if (options.empty()) {
    return chances;
  }
  const auto drawn = contenders(options, steps);
  Draws of(options, drawn, seed);
  std::vector<double> cost(drawn.size());
  for (int draw = 0; draw < draws; ++draw) {
    of.next();
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      const auto& option = options[drawn[i]];
      const double shared = of.moved_by_all(i);
      if (steps) {
        cost[i] = steps(drawn[i], shared + of.moved_by_itself(i));
        continue;
      }
      cost[i] = option.log_mean + shared;
      // What no error of its own makes cheaper than the first wins nothing: half of the numbers.
      if (i == 0 || cost[i] - far * option.own_sd <= cost[0]) {
        cost[i] += of.moved_by_itself(i);
      }
    }
    count_wins(cost, drawn, chances);
  }
  for (std::size_t i = 0; i < options.size(); ++i) {
    chances.cheapest[i] /= draws;
    chances.beats_first[i] /= draws;
  }
  return chances;
}

double ratio_log_sd(const UncertainCost& a, const UncertainCost& b, bool same_machine) {
  const auto part = [](double x, double y, bool shared) {
    return shared ? (x - y) * (x - y) : x * x + y * y;
  };
  return std::sqrt(part(a.model_sd, b.model_sd, true) +
                   part(a.accelerator_sd, b.accelerator_sd, a.gpu == b.gpu) +
                   part(a.cpu_speed_sd, b.cpu_speed_sd, a.cpu == b.cpu) +
                   part(a.disk_sd, b.disk_sd, a.disk == b.disk) +
                   part(a.own_sd, b.own_sd, same_machine));
}

double chance_of_beating(const UncertainCost& first,
                         const UncertainCost& other,
                         const StepCost& steps) {
  if (steps) {
    constexpr int draws = 4000;
    return draw_chances({first, other}, draws, 1, steps).beats_first[1];
  }
  const double better_by = first.log_mean - other.log_mean;
  const double sd = ratio_log_sd(first, other);
  return sd > 0          ? 0.5 * std::erfc(-better_by / sd / std::sqrt(2.0))
         : better_by > 0 ? 1.0
         : better_by < 0 ? 0.0
                         : 0.5;
}

}  // namespace rightsize
