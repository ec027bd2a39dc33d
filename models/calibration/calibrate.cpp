// calibrate_gpu GPUS RATES: fits the constants of the GPU law to the published figures and writes
// calibration/gpu_step.csv to stdout: a column for all figures and one for each GPU and network
// left out, so that leave-one-out tests do not see what they are tested on, and the factors that
// make cross-validated errors fall inside 90 % intervals, by regime.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "models/gpu_step_fit.h"
#include "models/laws/gpu_rate.h"

namespace {

using namespace rightsize;

std::string text_of(const char* path) {
  std::ifstream in(path);
  if (!in) {
    throw std::runtime_error(fmt::format("cannot read {}; give gpus.csv and gpu_rates.csv", path));
  }
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: calibrate_gpu gpus.csv gpu_rates.csv > gpu_step.csv\n";
    return 2;
  }
  const auto gpus = parse_gpus(text_of(argv[1]));
  const auto figures = parse_published_rates(text_of(argv[2]));
  const GpuWorkCache works;
  const auto all = fit_gpu_step(figures, gpus, works);
  fmt::print(stderr, "all: {} log rms {:.4f}\n", all.converged, all.log_rms);
  std::map<std::string, std::vector<double>> folds{{"all", all.values}};
  std::set<std::string> gpu_names;
  std::set<std::string> networks;
  for (const auto& figure : figures) {
    gpu_names.insert(figure.gpu);
    networks.insert(figure.network);
  }
  for (const auto& gpu : gpu_names) {
    folds["gpu " + gpu] = fit_gpu_step(figures, gpus, works, {gpu, ""}, all.values).values;
  }
  for (const auto& network : networks) {
    folds["network " + network] =
        fit_gpu_step(figures, gpus, works, {"", network}, all.values).values;
  }
  std::string header = "constant";
  for (const auto& [name, values] : folds) {
    header += "," + name;
  }
  fmt::print("{}\n", header);
  const auto constants = step_constants();
  for (std::size_t i = 0; i < constants.size(); ++i) {
    std::string line(constants[i].name);
    for (const auto& [name, values] : folds) {
      line += fmt::format(",{:.4f}", values[i]);
    }
    fmt::print("{}\n", line);
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}
