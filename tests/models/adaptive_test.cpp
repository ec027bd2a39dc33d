// The adaptive plan against closed forms, and against a full grid that was measured for real.
#include "models/adaptive.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "models/fit.h"
#include "models/predict.h"
#include "models/priors.h"

using namespace rightsize;

namespace {

std::vector<Record> load_grid() {
  std::ifstream in(RIGHTSIZE_SOURCE_DIR "/examples/measurements/grid.jsonl");
  std::vector<Record> records;
  for (std::string line; std::getline(in, line);) {
    records.push_back(record_from_json(boost::json::parse(line).as_object()));
  }
  return records;
}

double cost_s(const Record& record) {
  return record.warmup_s + record.seconds;
}

// As a planner knows it: asked for, not measured.
PossibleRun possible(const Record& record) {
  auto asked = record;
  asked.peak_anonymous_bytes = 0;
  return {setting_of(asked), cost_s(record), false};
}

// Median of |predicted / measured - 1| over every cell that was measured.
double error_over(const Model& model, const std::vector<Record>& cells) {
  std::vector<double> errors;
  for (const auto& cell : cells) {
    if (is_usable(cell)) {
      const auto setting = setting_of(cell);
      const auto predicted = Predictor(model, setting.workload).predict(setting).items_per_s;
      errors.push_back(std::abs(predicted / cell.throughput.median - 1));
    }
  }
  return median_of(errors);
}

// The peer: runs drawn at random for the same seconds. Infinite where they do not make a model.
double error_of_random_runs(const std::vector<Record>& cells, double budget_s, unsigned seed) {
  auto shuffled = cells;
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(seed));
  std::vector<Record> made;
  double made_s = 0;
  for (const auto& cell : shuffled) {
    if (made_s + cost_s(cell) <= budget_s) {
      made.push_back(cell);
      made_s += cost_s(cell);
    }
  }
  try {
    return error_over(fit(made).model, cells);
  } catch (const ModelError&) {
    return std::numeric_limits<double>::infinity();
  }
}

}  // namespace

TEST_CASE("adaptive: on the measured grid a tenth of the seconds reaches the grid's accuracy") {
  const auto cells = load_grid();
  REQUIRE(cells.size() == 96);
  std::vector<PossibleRun> runs;
  double grid_s = 0;
  for (const auto& cell : cells) {
    runs.push_back(possible(cell));
    grid_s += cost_s(cell);
  }
  AdaptivePlan plan(runs, {});
  std::vector<Record> made;
  double made_s = 0;
  while (const auto next = plan.next(made)) {
    if (made_s + cost_s(cells[*next]) > grid_s / 10) {
      break;
    }
    made.push_back(cells[*next]);
    made_s += cost_s(cells[*next]);
    if (made.size() >= 4) {
      MESSAGE(made.size() << " runs, " << cells[*next].name << ": error "
                          << error_over(fit(made).model, cells));
    }
  }
  const double full = error_over(fit(cells).model, cells);
  const double adaptive = error_over(fit(made).model, cells);
  MESSAGE("full grid: " << full << " in " << grid_s << " s; adaptive: " << adaptive << " in "
                        << made_s << " s, " << made.size() << " runs");
  CHECK(adaptive <= full + 0.01);
  std::vector<double> random;
  for (unsigned seed = 1; seed <= 9; ++seed) {
    random.push_back(error_of_random_runs(cells, grid_s / 10, seed));
  }
  const double usual = median_of(random);
  MESSAGE("nine draws at random for the same seconds: median error " << usual);
  CHECK(adaptive < usual);
}
