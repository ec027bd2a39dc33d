// The fitted model over a full grid of limits, each setting predicted by a model that has seen
// neither it nor the other runs of its fold; gates on every point, not on a mean alone.
#include <cmath>
#include <set>
#include <span>
#include <string>

#include <doctest/doctest.h>

#include "measured_records.h"
#include "models/validate.h"

using namespace rightsize;

namespace {

// A little above what models/VALIDATION.md shows.
struct GridGate {
  const char* file;
  double median;
  double p90;
  double least_coverage;
  double any;
};

void check(const GridGate& gate, const Validation& all) {
  REQUIRE(all.rows.size() == 96);
  CHECK(all.unpredicted.empty());
  MESSAGE("median ",
          100 * all.median_error,
          " %, P90 ",
          100 * all.p90_error,
          " %, inside ",
          100 * all.coverage,
          " %");
  CHECK(all.median_error < gate.median);
  CHECK(all.p90_error < gate.p90);
  CHECK(all.coverage > gate.least_coverage);
  for (const auto& row : all.rows) {
    CAPTURE(row.name);
    CAPTURE(row.measured);
    CAPTURE(row.predicted.value);
    CHECK(std::abs(row.relative_error) < gate.any);
  }
  std::size_t parted = 0;
  for (std::size_t bound = 0; bound < bound_count; ++bound) {
    parted += limited_by(all, static_cast<Bound>(bound)).rows.size();
  }
  CHECK(parted == all.rows.size());
}

// Which quarter of the settings a model has not seen is drawn.
void check_grid(const GridGate& gate) {
  check(gate, validate_by_folds(test::measured_records(gate.file), 4));
}

}  // namespace

TEST_CASE("grid: 96 settings of a Zen 4, each predicted without itself") {
  check_grid({"grid.jsonl", 0.025, 0.083, 0.87, 0.16});
}

TEST_CASE("grid: 96 settings of an Emerald Rapids, each predicted without itself") {
  check_grid({"grid_emerald_rapids.jsonl", 0.015, 0.03, 0.87, 0.17});
}

TEST_CASE("grid: 96 settings of a Granite Rapids, each predicted without itself") {
  check_grid({"grid_granite_rapids.jsonl", 0.025, 0.05, 0.86, 0.08});
}

// Measured when laws and priors were as they are: none of them had seen it.
TEST_CASE("grid: 96 settings of a Zen 3, each predicted without itself") {
  check_grid({"grid_zen3.jsonl", 0.015, 0.03, 0.87, 0.14});
}

// Errors within one memory size are alike, so that the share inside is of four things rather than
// of 96: it is known to some ten points.
TEST_CASE("grid: a memory size that no run had is predicted nearly as well") {
  const auto unseen = [](const char* file) {
    return validate_by_values(test::measured_records(file), GridLimit::memory);
  };
  check({"", 0.03, 0.09, 0.87, 0.17}, unseen("grid.jsonl"));
  check({"", 0.02, 0.035, 0.87, 0.18}, unseen("grid_emerald_rapids.jsonl"));
  check({"", 0.03, 0.055, 0.87, 0.09}, unseen("grid_granite_rapids.jsonl"));
  check({"", 0.02, 0.035, 0.87, 0.14}, unseen("grid_zen3.jsonl"));
}

// Half a CPU by runs of whole ones and of one and a half, and so on: what a quota loses and how
// long a disk makes a reader wait, known by their priors alone, are in the intervals.
TEST_CASE("grid: a number of vCPUs that no run had is predicted, and its interval holds") {
  const auto unseen = [](const char* file) {
    return validate_by_values(test::measured_records(file), GridLimit::cpus);
  };
  check({"", 0.03, 0.095, 0.87, 0.17}, unseen("grid.jsonl"));
  check({"", 0.02, 0.04, 0.87, 0.18}, unseen("grid_emerald_rapids.jsonl"));
  check({"", 0.03, 0.055, 0.87, 0.09}, unseen("grid_granite_rapids.jsonl"));
  check({"", 0.02, 0.035, 0.87, 0.14}, unseen("grid_zen3.jsonl"));
}

TEST_CASE("grid: which cells make a fold does not go by the grid's own order") {
  const auto records = test::measured_records("grid.jsonl");
  const auto all = validate_by_folds(records, 4);
  std::set<std::string> memory;  // of the first fold
  for (std::size_t i = 0; i < all.rows.size() / 4; ++i) {
    memory.insert(all.rows[i].name.substr(all.rows[i].name.find("memory=")));
  }
  CHECK(memory.size() == 4);
  CHECK_THROWS_WITH(static_cast<void>(validate_by_values(std::span<const Record>(records.data(), 1),
                                                         GridLimit::cpus)),
                    doctest::Contains("the same value of that limit"));
}

TEST_CASE("grid: more folds than cells are refused") {
  const auto records = test::measured_records("grid.jsonl");
  const std::span<const Record> two(records.data(), 2);
  CHECK_THROWS_WITH(static_cast<void>(validate_by_folds(two, 4)),
                    doctest::Contains("4 folds of 2 cells"));
}
