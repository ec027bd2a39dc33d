// How far the law of several replicas behind one front end (laws/shared_replicas.h) is from the
// played fleet in its 99th percentile, beside what sharing requests by chance would make of it.
// Prints Markdown; models/README.md holds its output. `bench_serving_grid rows` prints every point
// that is off by more than 15 %, `bench_serving_grid shares` how far the law is by utilisation:
// what p99_log_sd() is set by.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "models/laws/serving.h"
#include "models/simulate/serving.h"

using namespace rightsize;

namespace {

// Mostly fixed cost, mostly the requests' own, and all fixed.
struct Step {
  const char* name;
  StepTimeLaw time;
};
constexpr std::array<Step, 3> steps{
    {{"even", {4e-3, 0.25e-3}}, {"steep", {2e-3, 1e-3}}, {"flat", {8e-3, 0.01e-3}}}};

struct Kind {
  const char* name;
  double group_size;
  double max_delay_s;
  double time_deviation;
};
constexpr std::array<Kind, 8> kinds{{{"Poisson", 1, 0, 0},
                                     {"steps vary by 10 %", 1, 0, 0.1},
                                     {"window of 2 ms", 1, 2e-3, 0},
                                     {"window of 10 ms", 1, 10e-3, 0},
                                     {"window of 50 ms", 1, 50e-3, 0},
                                     {"bursts of 4", 4, 0, 0},
                                     {"bursts of 4, window of 50 ms", 4, 50e-3, 0},
                                     {"steps vary, window of 50 ms", 1, 50e-3, 0.1}}};

struct Ratios {
  std::vector<double> law;  // over played
  std::vector<double> by_chance;
  int inside = 0;  // 90 % intervals of the law that hold what is played
  std::map<double, std::vector<double>> shares;  // of the most: the law's
};

ServingSummary played(const Step& step, const Kind& kind, const ServingLoad& load, double share) {
  ServingOptions options;
  options.requests = share > 0.92 ? 500'000 : share > 0.85 ? 250'000 : 100'000;
  options.time_deviation = kind.time_deviation;
  return simulate_serving(step.time, load, options);
}

void ask(const Step& step, const Kind& kind, int replicas, bool every_row, Ratios& ratios) {
  for (const int batch : {1, 4, 8, 32}) {
    for (const double share : {0.3, 0.5, 0.7, 0.8, 0.9, 0.95}) {
      if (batch == 1 && kind.max_delay_s > 0) {
        continue;
      }
      ServingLoad load{0, kind.group_size, batch, kind.max_delay_s, replicas};
      load.requests_per_s = share * replicas * batch / step_seconds(step.time, batch);
      const double truth_s = played(step, kind, load, share).p99_s;
      ServingLoad one = load;
      one.replicas = 1;
      one.requests_per_s /= replicas;
      ratios.law.push_back(serve(step.time, load).p99_s / truth_s);
      ratios.by_chance.push_back(serve(step.time, one).p99_s / truth_s);
      ratios.shares[share].push_back(ratios.law.back());
      ratios.inside +=
          std::abs(std::log(ratios.law.back())) <= 1.645 * p99_log_sd(load, share) ? 1 : 0;
      if (every_row && std::abs(ratios.law.back() - 1) > 0.15) {
        fmt::print("{:6} {:18} {:2} replicas, minibatches of {:2}, {:.2f} of the most: {:.2f}\n",
                   step.name,
                   kind.name,
                   replicas,
                   batch,
                   share,
                   ratios.law.back());
      }
    }
  }
}

std::string summary(std::vector<double> ratios) {
  std::sort(ratios.begin(), ratios.end());
  const auto near = std::count_if(
      ratios.begin(), ratios.end(), [](double ratio) { return std::abs(ratio - 1) <= 0.15; });
  const auto at = [&](double share) {
    return ratios[static_cast<std::size_t>(share * static_cast<double>(ratios.size() - 1))];
  };
  return fmt::format("{:.0f} % | {:.2f} … {:.2f} … {:.2f}",
                     100 * static_cast<double>(near) / static_cast<double>(ratios.size()),
                     at(0.05),
                     at(0.5),
                     at(1));
}

// Root mean square of ln(law / played).
double log_rms(const std::vector<double>& ratios) {
  double squares = 0;
  for (const double ratio : ratios) {
    squares += std::log(ratio) * std::log(ratio);
  }
  return std::sqrt(squares / static_cast<double>(ratios.size()));
}

void print_shares(const Kind& kind, int replicas, const Ratios& ratios) {
  fmt::print("{:18} {:2} replicas:", kind.name, replicas);
  for (const auto& [share, own] : ratios.shares) {
    fmt::print("  {:.2f} {:.3f}", share, log_rms(own));
  }
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  const bool every_row = mode == "rows";
  std::vector<std::string> lines;
  for (const auto& kind : kinds) {
    for (const int replicas : {1, 2, 4, 8, 16, 32}) {
      Ratios ratios;
      for (const auto& step : steps) {
        ask(step, kind, replicas, every_row, ratios);
      }
      if (mode == "shares") {
        print_shares(kind, replicas, ratios);
      }
      lines.push_back(fmt::format("| {} | {} | {} | {} | {:.3f} | {:.0f} % | {} |",
                                  kind.name,
                                  replicas,
                                  ratios.law.size(),
                                  summary(ratios.law),
                                  log_rms(ratios.law),
                                  100.0 * ratios.inside / static_cast<double>(ratios.law.size()),
                                  summary(ratios.by_chance)));
    }
  }
  fmt::print(
      "| requests, steps | replicas | points | within 15 % | law / played: 5 %, median, most | rms "
      "of ln | inside 90 % | by chance: within 15 % | 5 %, median, most |\n"
      "|---|--:|--:|--:|---|--:|--:|--:|---|\n");
  for (const auto& line : lines) {
    fmt::print("{}\n", line);
  }
}
