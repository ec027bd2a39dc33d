// tune_blend GPUS RATES STEP: searches for the variances of the blend (laws/rate_blend.h) under
// which published figures of left-out GPUs and networks are likely, framework told or not: by
// coordinate descent, with errors of Student's t so that a wild figure pulls little. Prints each
// variance's standard deviation and how far leave-one-out is before and after; what it finds is
// written into BlendEffects by hand. Many minutes: two rounds of some 170 leave-one-out tests.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "models/rate_errors.h"
#include "models/rate_validation.h"

namespace {

using namespace rightsize;

constexpr double degrees_of_freedom = 4;
constexpr double least_variance = 1e-5;
constexpr double largest_variance = 0.16;
constexpr int rounds = 2;

std::string text_of(const char* path) {
  std::ifstream in(path);
  if (!in) {
    throw std::runtime_error(fmt::format("cannot read {}", path));
  }
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Minus the logarithm of the likelihood; a GPU or network counts as the root of its figures, since
// they repeat each other.
double unlikelihood(const std::vector<RateCheck>& checks, LeaveOut left_out) {
  const auto fold = [&](const RateCheck& check) {
    return left_out == LeaveOut::gpu ? check.figure.gpu : check.figure.network;
  };
  std::map<std::string, double> figures;
  for (const auto& check : checks) {
    ++figures[fold(check)];
  }
  double sum = 0;
  for (const auto& check : checks) {
    const double sd = check.predicted.log_sd;
    const double ratio = check.log_error / sd;
    sum += (std::log(sd) +
            (degrees_of_freedom + 1) / 2 * std::log1p(ratio * ratio / degrees_of_freedom)) /
           std::sqrt(figures[fold(check)]);
  }
  return sum;
}

double unlikelihood(const RateTables& tables, bool report) {
  double sum = 0;
  for (const auto left_out : {LeaveOut::gpu, LeaveOut::network}) {
    for (const bool told : {false, true}) {
      const auto checks = check_rates(tables, left_out, told);
      sum += unlikelihood(checks, left_out);
      if (report) {
        const auto errors = errors_of(checks);
        fmt::print("{} left out{}: median {:.1f} %, P90 {:.1f} %, {:.0f} % inside\n",
                   left_out == LeaveOut::gpu ? "GPU" : "network",
                   told ? ", framework told" : "",
                   100 * errors.median_error,
                   100 * errors.p90_error,
                   100 * errors.coverage);
      }
    }
  }
  return sum;
}

// Moves one variance by `factor` as long as that helps.
void descend(RateTables& tables, double BlendEffects::*variance, double factor, double& best) {
  for (;;) {
    const double before = tables.effects.*variance;
    const double after = before * factor;
    if (after < least_variance || after > largest_variance) {
      return;
    }
    tables.effects.*variance = after;
    const double now = unlikelihood(tables, false);
    if (now > best - 1e-3) {
      tables.effects.*variance = before;
      return;
    }
    best = now;
  }
}

int run(char** argv) {
  const auto step = text_of(argv[3]);
  RateTables tables{parse_gpus(text_of(argv[1])), parse_published_rates(text_of(argv[2])), step};
  double best = unlikelihood(tables, true);
  for (int round = 0; round < rounds; ++round) {
    const double factor = round == 0 ? 2.0 : 1.4;
    for (const auto& [name, variance] : named_blend_effects()) {
      if (variance == &BlendEffects::noise) {
        continue;  // it would fall to what rounds to nothing
      }
      const double before = best;
      descend(tables, variance, factor, best);
      if (best == before) {
        descend(tables, variance, 1 / factor, best);
      }
      fmt::print("{:28} sd {:.3f}  {:.2f}\n", name, std::sqrt(tables.effects.*variance), best);
      std::fflush(stdout);
    }
  }
  unlikelihood(tables, true);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: tune_blend gpus.csv gpu_rates.csv gpu_step.csv\n";
    return 2;
  }
  try {
    return run(argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
