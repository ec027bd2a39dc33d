#include "advisor/chance.h"

#include <algorithm>
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

}  // namespace

Chances draw_chances(const std::vector<UncertainCost>& options, int draws, std::uint64_t seed) {
  Chances chances{std::vector<double>(options.size(), 0.0),
                  std::vector<double>(options.size(), 0.0)};
  if (options.empty()) {
    return chances;
  }
  Names gpus;
  Names cpus;
  Names disks;
  std::vector<Places> places;
  for (const auto& option : options) {
    places.push_back({gpus.index(option.gpu), cpus.index(option.cpu), disks.index(option.disk)});
  }
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const auto fresh = [&](std::vector<double>& values) {
    std::generate(values.begin(), values.end(), [&] { return normal(random); });
  };
  std::vector<double> gpu(gpus.size());
  std::vector<double> cpu(cpus.size());
  std::vector<double> disk(disks.size());
  std::vector<double> cost(options.size());
  for (int draw = 0; draw < draws; ++draw) {
    fresh(gpu);
    fresh(cpu);
    fresh(disk);
    const double model = normal(random);
    for (std::size_t i = 0; i < options.size(); ++i) {
      const auto& option = options[i];
      cost[i] = option.log_mean + option.model_sd * model +
                option.accelerator_sd * gpu[static_cast<std::size_t>(places[i].gpu)] +
                option.cpu_speed_sd * cpu[static_cast<std::size_t>(places[i].cpu)] +
                option.disk_sd * disk[static_cast<std::size_t>(places[i].disk)] +
                option.own_sd * normal(random);
      chances.beats_first[i] += cost[i] < cost[0] ? 1 : 0;
    }
    const auto best = std::min_element(cost.begin(), cost.end()) - cost.begin();
    chances.cheapest[static_cast<std::size_t>(best)] += 1;
  }
  for (std::size_t i = 0; i < options.size(); ++i) {
    chances.cheapest[i] /= draws;
    chances.beats_first[i] /= draws;
  }
  return chances;
}

}  // namespace rightsize
