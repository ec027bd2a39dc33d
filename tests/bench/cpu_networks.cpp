// The CPU engine's whole step against the sum of oneDNN's own times for the same layers, run one by
// one. Both are timed in turns in the same process and each counts with its best time. The last row
// is in CPU time, which a busy machine does not stretch; it says most with one thread.
//   bench_cpu_networks [threads] [network batch train|infer]...
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <omp.h>

#include "bare_network.h"
#include "kernels/cpu/cpu_engine.h"
#include "support/tiny_batch.h"

using namespace rightsize;

namespace {

constexpr int rounds = 6;

struct Case {
  std::string network;
  int batch;
  Phase phase;
};

const std::vector<Case> usual_cases{{"resnet50", 8, Phase::train},
                                    {"resnet50", 8, Phase::infer},
                                    {"vgg16", 2, Phase::train},
                                    {"vgg16", 2, Phase::infer}};

double sum(const std::map<std::string, double>& parts) {
  double total = 0;
  for (const auto& [name, seconds] : parts) {
    total += seconds;
  }
  return total;
}

LayerKind kind_of(const Network& network, const std::string& layer) {
  const auto found = std::find_if(network.layers.begin(),
                                  network.layers.end(),
                                  [&](const Layer& l) { return l.name == layer; });
  return found == network.layers.end() ? LayerKind::input : found->kind;
}

// In the words of BareNetwork; empty for what has none there.
std::string word_of(LayerKind kind) {
  switch (kind) {
    case LayerKind::convolution:
      return "convolution";
    case LayerKind::fully_connected:
      return "fully_connected";
    case LayerKind::batch_norm:
      return "batch_norm";
    case LayerKind::max_pool:
    case LayerKind::average_pool:
    case LayerKind::global_average_pool:
      return "pool";
    case LayerKind::local_response_norm:
      return "lrn";
    case LayerKind::relu:
    case LayerKind::activation:
      return "relu";
    case LayerKind::add:
      return "add";
    case LayerKind::concat:
      return "concat";
    default:
      return {};
  }
}

// "res2_1_2a_bn.forward" -> "batch_norm.forward"; what is no layer ("reorder", "sgd.update") keeps
// its own name.
std::string kind_and_pass(const Network& network, const std::string& part) {
  if (part == "add_gradients") {
    return "add.backward";
  }
  if (part.ends_with(".relu_backward")) {
    return "relu.backward";
  }
  const auto dot = part.find('.');
  const auto word = word_of(kind_of(network, part.substr(0, dot)));
  return word.empty() || dot == std::string::npos ? part : word + part.substr(dot);
}

struct Times {
  std::map<std::string, double> engine;  // best of each part, by kind and pass
  std::map<std::string, double> bare;
  double step_cpu = 1e9;  // best whole step
  double bare_cpu = 0;
};

Times measure(const Network& network, const Case& work, int threads) {
  EngineOptions options;
  options.batch = work.batch;
  options.phase = work.phase;
  options.threads = threads;
  cpu::CpuEngine engine(network, options);
  bench::BareNetwork bare(network, work.phase, work.batch);
  const auto batch = test::noise_batch(network, work.batch);
  Times times;
  std::vector<double> best;
  std::vector<cpu::StepTime> parts;
  for (int round = 0; round < rounds; ++round) {
    const double start = bench::cpu_seconds();
    engine.step(batch.view());
    times.step_cpu = std::min(times.step_cpu, bench::cpu_seconds() - start);
    bare.run_once();
    parts = engine.timed_step(batch.view());
    best.resize(parts.size(), 1e9);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      best[i] = std::min(best[i], parts[i].seconds);
    }
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    times.engine[kind_and_pass(network, parts[i].name)] += best[i];
  }
  times.bare = bare.best();
  times.bare_cpu = bare.best_cpu_seconds();
  return times;
}

void print(const std::string& name, double engine, double bare) {
  fmt::print("{:<34}{:>11.2f}{:>11.2f}{:>8}\n",
             name,
             1e3 * engine,
             1e3 * bare,
             engine > 0 ? fmt::format("{:.2f}", bare / engine) : "-");
}

void report(const Case& work, int threads) {
  const auto network = make_network(work.network);
  const auto times = measure(network, work, threads);
  fmt::print("\n{:<34}{:>11}{:>11}{:>8}\n",
             fmt::format("{} {}, batch {}, {} thread{}",
                         work.network,
                         to_string(work.phase),
                         work.batch,
                         threads,
                         threads == 1 ? "" : "s"),
             "engine ms",
             "bare ms",
             "speed");
  std::map<std::string, double> names = times.engine;
  names.insert(times.bare.begin(), times.bare.end());
  for (const auto& [name, seconds] : names) {
    const auto of = [&, key = name](const auto& parts) {
      const auto found = parts.find(key);
      return found == parts.end() ? 0.0 : found->second;
    };
    print("  " + name, of(times.engine), of(times.bare));
  }
  print("sum of best parts", sum(times.engine), sum(times.bare));
  print("whole step, CPU time", times.step_cpu, times.bare_cpu);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 1;
  omp_set_num_threads(threads);
  std::vector<Case> cases;
  for (int i = 2; i + 2 < argc; i += 3) {
    cases.push_back({argv[i],
                     std::atoi(argv[i + 1]),
                     std::string(argv[i + 2]) == "infer" ? Phase::infer : Phase::train});
  }
  for (const auto& work : cases.empty() ? usual_cases : cases) {
    report(work, threads);
  }
} catch (const std::exception& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  return 1;
}
