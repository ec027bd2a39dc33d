// A run as it is asked for: its name, its JSON, and what of it the machine cannot give.
#include "profiler/measure/run_spec.h"

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "profiler/campaign/excess.h"
#include "profiler/campaign/plan.h"

using namespace rightsize;

TEST_CASE("run id: stable across builds and folders, different for every difference in the work") {
  RunSpec spec;
  const auto id = run_id(spec);
  CHECK(id == "8c36ebc880d713e9");
  auto other = spec;
  other.name = "another name";
  other.hold_out = true;
  CHECK(run_id(other) == id);
  const auto differs = [&](auto change) {
    auto changed = spec;
    change(changed);
    return run_id(changed) != id;
  };
  CHECK(differs([](RunSpec& s) { s.repeat = 1; }));
  CHECK(differs([](RunSpec& s) { s.limits.cpus = 1; }));
  CHECK(differs([](RunSpec& s) { s.workload.batch = 33; }));
  CHECK(differs([](RunSpec& s) { s.stop.max_s = 11; }));
  CHECK(differs([](RunSpec& s) { s.dataset_bytes = 1; }));
  spec.workload.data_path = "/here/train.rec";
  other = spec;
  other.workload.data_path = "/there/train.rec";
  CHECK(run_id(spec) == run_id(other));
}

TEST_CASE("run spec: JSON round trip keeps every field") {
  RunSpec spec;
  spec.name = "n";
  spec.repeat = 3;
  spec.limits.cpus = 1.5;
  spec.stop.max_s = 7;
  spec.timeout_s = 9;
  spec.read_bytes_per_s = 5;
  spec.workload.batch = 3;
  CHECK(run_spec_from_json(to_json(spec)) == spec);
}

TEST_CASE("excess: a limit above the machine's is named with what the machine has") {
  Machine machine;
  machine.cpus = 2;
  machine.memory_bytes = std::uint64_t{24} << 30;
  Limits limits;
  limits.cpus = 2;
  limits.memory_bytes = machine.memory_bytes;
  CHECK_FALSE(excess_over(machine, limits));
  limits.cpus = 9;
  CHECK(excess_over(machine, limits) == "cpus = 9: this machine has 2");
  limits.cpus = 0;
  limits.memory_bytes = std::uint64_t{900} << 30;
  CHECK(excess_over(machine, limits) == "memory = 900 GiB: this machine has 24 GiB");
  CHECK_FALSE(excess_over(Machine{}, limits));  // it does not say what it has
}
