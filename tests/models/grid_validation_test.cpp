// The fitted model over a full grid of limits, each setting predicted by a model that has seen
// neither it nor the other runs of its fold; gates on every point, not on a mean alone.
#include <cmath>
#include <span>

#include <doctest/doctest.h>

#include "measured_records.h"
#include "models/validate.h"

using namespace rightsize;

TEST_CASE("grid: 96 settings, each predicted without itself") {
  const auto records = test::measured_records("grid.jsonl");
  const auto all = validate_by_folds(records, 4);
  REQUIRE(all.rows.size() == 96);
  CHECK(all.unpredicted.empty());
  MESSAGE("median ",
          100 * all.median_error,
          " %, P90 ",
          100 * all.p90_error,
          " %, inside ",
          100 * all.coverage,
          " %");
  CHECK(all.median_error < 0.03);
  CHECK(all.p90_error < 0.095);
  CHECK(all.coverage > 0.87);
  for (const auto& row : all.rows) {
    CAPTURE(row.name);
    CAPTURE(row.measured);
    CAPTURE(row.predicted.value);
    CHECK(std::abs(row.relative_error) < 0.19);
  }
  std::size_t parted = 0;
  for (std::size_t bound = 0; bound < bound_count; ++bound) {
    parted += limited_by(all, static_cast<Bound>(bound)).rows.size();
  }
  CHECK(parted == all.rows.size());
}

TEST_CASE("grid: more folds than cells are refused") {
  const auto records = test::measured_records("grid.jsonl");
  const std::span<const Record> two(records.data(), 2);
  CHECK_THROWS_WITH(static_cast<void>(validate_by_folds(two, 4)),
                    doctest::Contains("4 folds of 2 cells"));
}
