// The simulator against 96 runs that were measured on the real data path (examples/measurements/
// grid.jsonl: vCPU x memory x disk limits, the replay engine as accelerator): what one item cost is
// taken from each run's own counters, what comes of it is played. Three figures are common to all:
// the copy's CPU time, the device's own speed and its latency.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "models/priors.h"
#include "models/simulate/pipeline.h"
#include "tests/support/replayed_run.h"

using namespace rightsize;
using test::ReplayedRun;

namespace {

std::vector<std::pair<Record, ReplayedRun>> measured_runs() {
  std::ifstream in(RIGHTSIZE_SOURCE_DIR "/examples/measurements/grid.jsonl");
  std::vector<std::pair<Record, ReplayedRun>> runs;
  for (std::string line; std::getline(in, line);) {
    auto record = record_from_json(boost::json::parse(line).as_object());
    if (test::is_replayed_run(record)) {
      runs.emplace_back(record, test::replayed_run(record));
    }
  }
  return runs;
}

struct Errors {
  std::vector<double> throughput;  // relative
  std::vector<double> wait;        // of the accelerator for data, in shares of the time
};

Errors errors_of(double quota_period_s) {
  Errors errors;
  for (const auto& [record, run] : measured_runs()) {
    SimulationOptions options;
    options.miss_ratio = run.miss;
    options.quota_period_s = quota_period_s;
    const auto played = simulate_pipeline(run.laws, run.setting, options);
    CAPTURE(record.name);
    CAPTURE(run.items_per_s);
    CAPTURE(played.items_per_s);
    CAPTURE(run.wait_share);
    CAPTURE(played.accelerator_wait);
    errors.throughput.push_back(std::abs(played.items_per_s / run.items_per_s - 1));
    errors.wait.push_back(std::abs(played.accelerator_wait - run.wait_share));
    if (quota_period_s > 0) {
      CHECK(errors.throughput.back() < 0.08);
      CHECK(errors.wait.back() < 0.09);
    }
  }
  return errors;
}

double p90(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() * 9 / 10];
}

}  // namespace

TEST_CASE("pipeline: 96 measured runs are played within 5 % of throughput and of stall shares") {
  const auto errors = errors_of(SimulationOptions{}.quota_period_s);
  REQUIRE(errors.throughput.size() == 96);
  MESSAGE("throughput: median ",
          100 * median_of(errors.throughput),
          " %, P90 ",
          100 * p90(errors.throughput),
          " %; wait: median ",
          100 * median_of(errors.wait),
          ", P90 ",
          100 * p90(errors.wait),
          " points");
  CHECK(median_of(errors.throughput) < 0.015);
  CHECK(p90(errors.throughput) < 0.05);
  CHECK(median_of(errors.wait) < 0.025);
  CHECK(p90(errors.wait) < 0.05);
}

TEST_CASE("pipeline: a quota that is renewed in periods is nearer to what was measured") {
  const auto in_periods = errors_of(0.1);
  const auto evenly = errors_of(0);
  CHECK(median_of(in_periods.throughput) < median_of(evenly.throughput));
  CHECK(p90(in_periods.throughput) < p90(evenly.throughput));
}
