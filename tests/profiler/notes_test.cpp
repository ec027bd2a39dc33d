#include "profiler/measure/notes.h"

#include <limits>

#include <doctest/doctest.h>

namespace rightsize {
namespace {

Record trained(double first_loss, double last_loss) {
  Record record;
  record.workload.phase = Phase::train;
  record.first_loss = first_loss;
  record.last_loss = last_loss;
  return record;
}

TEST_CASE("notes: a loss that diverged is said, one that wanders is not") {
  auto good = trained(7, 40);
  add_notes(good);
  CHECK(good.throttle_notes.empty());
  for (const double last : {900.0, std::numeric_limits<double>::quiet_NaN()}) {
    auto bad = trained(7, last);
    add_notes(bad);
    REQUIRE(bad.throttle_notes.size() == 1);
    CHECK(bad.throttle_notes[0].find("the loss diverged, from 7 to ") == 0);
  }
  auto inferred = trained(7, 900);
  inferred.workload.phase = Phase::infer;
  add_notes(inferred);
  CHECK(inferred.throttle_notes.empty());
}

TEST_CASE("notes: a disk limit that memory hid is said") {
  Record record;
  record.throttle = "cgroup v2";
  record.limits.disk_read_bytes_per_s = 10e6;
  record.cold_items_per_s = 91.2;
  record.dataset_bytes = 65'000'000;
  record.bytes_requested = 130'000'000;
  record.disk_read_bytes = 1'000'000;
  auto hidden = record;
  add_notes(hidden);
  REQUIRE(hidden.throttle_notes.size() == 1);
  CHECK(hidden.throttle_notes[0].find("first epoch alone (91.2 items/s)") != std::string::npos);
  auto by_loader = record;  // which slows what is cached too
  by_loader.throttle = "unprivileged";
  add_notes(by_loader);
  CHECK(by_loader.throttle_notes.empty());
  auto felt = record;
  felt.disk_read_bytes = 100'000'000;
  add_notes(felt);
  CHECK(felt.throttle_notes.empty());
  auto unlimited = record;
  unlimited.limits = {};
  add_notes(unlimited);
  CHECK(unlimited.throttle_notes.empty());
  auto cold = record;  // one epoch: the measured rate is the disk's
  cold.cold_items_per_s.reset();
  add_notes(cold);
  CHECK(cold.throttle_notes.empty());
}

}  // namespace
}  // namespace rightsize
