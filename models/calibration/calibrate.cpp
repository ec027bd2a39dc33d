// calibrate_gpu GPUS RATES [STEP]: fits the constants of the GPU law to the published figures and
// writes calibration/gpu_step.csv to stdout: a column for all figures and one for each GPU and
// network left out, so that leave-one-out tests do not see what they are tested on, and the factors
// that make cross-validated errors fall inside 90 % intervals, by regime. With STEP, an earlier
// output, its constants are kept and the factors alone made anew.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "models/gpu_step_fit.h"
#include "models/laws/gpu_step_constants.h"
#include "models/rate_errors.h"
#include "models/rate_validation.h"

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

// A guard, which none of the factors as shipped comes near: a handful of figures that no law
// explains must not stretch the interval of all others.
constexpr double least_factor = 0.5;
constexpr double largest_factor = 6;

using Folds = std::map<std::string, std::vector<double>>;

// All figures, then without each GPU and each network.
Folds fitted_folds(const RateTables& tables) {
  const GpuWorkCache works;
  const auto all = fit_gpu_step(tables.figures, tables.gpus, works);
  fmt::print(stderr,
             "all figures: residuals of ln(rate) have rms {:.3f}, converged {}\n",
             all.log_rms,
             all.converged);
  std::set<std::string> gpus;
  std::set<std::string> networks;
  for (const auto& figure : tables.figures) {
    gpus.insert(figure.gpu);
    networks.insert(figure.network);
  }
  Folds folds{{"all", all.values}};
  const auto without = [&](const LeftOut& left) {
    return fit_gpu_step(tables.figures, tables.gpus, works, left, all.values).values;
  };
  for (const auto& gpu : gpus) {
    folds["gpu " + gpu] = without({gpu, ""});
  }
  for (const auto& network : networks) {
    folds["network " + network] = without({"", network});
  }
  return folds;
}

std::string constants_csv(const Folds& folds) {
  std::string text = "constant";
  for (const auto& [name, values] : folds) {
    text += "," + name;
  }
  const auto constants = step_constants();
  for (std::size_t i = 0; i < constants.size(); ++i) {
    text += fmt::format("\n{}", constants[i].name);
    for (const auto& [name, values] : folds) {
      text += fmt::format(",{:.4f}", values[i]);
    }
  }
  return text + "\n";
}

// Of an earlier output.
std::string constants_in(const std::string& step_csv) {
  const auto intervals = step_csv.find("\ninterval ");
  return step_csv.substr(0, intervals == std::string::npos ? step_csv.size() : intervals + 1);
}

// The factor in the column of all figures.
std::string interval_row(const std::string& name,
                         const std::vector<RateCheck>& checks,
                         std::size_t folds) {
  return fmt::format("{},{:.3f}{}\n",
                     name,
                     std::clamp(conformal_factor(checks), least_factor, largest_factor),
                     std::string(folds - 1, ','));
}

// One row per regime and stack.
std::string intervals_csv(const RateTables& tables, bool framework_told, std::size_t folds) {
  std::map<std::pair<RateRegime, Stack>, std::vector<RateCheck>> by_regime;
  for (auto& check : check_as_users(tables, framework_told)) {
    const auto stack = check.predicted.stack;
    if (check.predicted.regime == RateRegime::published) {
      // Few are between batches or of another precision, and none is nearer than those published.
      by_regime[{RateRegime::interpolated, stack}].push_back(check);
      by_regime[{RateRegime::same_pair, stack}].push_back(check);
    }
    by_regime[{check.predicted.regime, stack}].push_back(std::move(check));
  }
  std::string text;
  for (const auto& [key, checks] : by_regime) {
    text += interval_row(interval_name(key.first, key.second, framework_told), checks, folds);
  }
  return text;
}

// Where one figure of the user's own speaks for his program, and no framework's name does.
std::string carried_intervals_csv(const RateTables& tables, std::size_t folds) {
  std::map<std::string, std::vector<RateCheck>> by_name;
  for (auto& check : check_carried(tables)) {
    if (check.predicted.regime == RateRegime::carried) {
      by_name[carried_interval_name(check.predicted.stack, has_backward(check.figure.phase))]
          .push_back(std::move(check));
    }
  }
  std::string text;
  for (const auto& [name, checks] : by_name) {
    text += interval_row(name, checks, folds);
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3 && argc != 4) {
    std::cerr << "usage: calibrate_gpu gpus.csv gpu_rates.csv [gpu_step.csv] > new_gpu_step.csv\n";
    return 2;
  }
  RateTables tables{parse_gpus(text_of(argv[1])), parse_published_rates(text_of(argv[2])), {}};
  const auto constants =
      argc == 4 ? constants_in(text_of(argv[3])) : constants_csv(fitted_folds(tables));
  const auto first_line = constants.substr(0, constants.find('\n'));
  const auto folds =
      static_cast<std::size_t>(std::count(first_line.begin(), first_line.end(), ','));
  tables.step_csv = constants;
  fmt::print("{}{}{}{}",
             constants,
             carried_intervals_csv(tables, folds),
             intervals_csv(tables, false, folds),
             intervals_csv(tables, true, folds));
  return 0;
} catch (const std::exception& error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}
