// Small rounds: that the figures are there, plausible and survive JSON; how fast this machine is,
// is for `rightsize doctor --bench` to say.
#include "profiler/baseline/baseline.h"

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <unistd.h>

#include "kernels/peak_rate.h"
#include "profiler/baseline/direct_file.h"
#include "profiler/baseline/rate_meter.h"
#include "support/temporary_folder.h"

using namespace rightsize;

TEST_CASE("peak rate: operations are counted as the vectors are wide") {
  for (const auto* isa : {"sse41", "avx2", "avx512"}) {
    if (!cpu_has(isa)) {
      MESSAGE("skipped: this CPU has no " << isa);
      continue;
    }
    const auto once = run_float_operations(isa, 1);
    CHECK(run_float_operations(isa, 3) == 3 * once);
    CHECK(once == 2 * run_integer_operations(isa, 1));  // a multiply and an add against an add
  }
  CHECK_FALSE(cpu_has("mmx"));
  CHECK_THROWS_AS(static_cast<void>(run_float_operations("mmx", 1)), std::invalid_argument);
}

TEST_CASE("rate meter: threads add up, the first round does not count") {
  int made = 0;
  const auto rate = rate_of(2, 0.02, 3, [&](int) -> Chore {
    ++made;
    return [] { return 1.0; };
  });
  CHECK(made == 2);
  CHECK(rate.samples == 3);
  CHECK(rate.median > 0);
  CHECK(rate.low <= rate.median);
}

TEST_CASE("baseline: figures of every part, and back from JSON") {
  const TemporaryFolder folder;
  BaselineOptions options;
  options.folder = folder.path();
  options.round_s = 0.01;
  options.rounds = 2;
  options.file_bytes = 32 << 20;
  const auto baseline = measure_baseline(options);
  CHECK(baseline.find("memory triad, 1 thread") != nullptr);
  CHECK(baseline.find("JPEG decode 500x375, 1 thread") != nullptr);
  for (const auto& figure : baseline.figures) {
    CAPTURE(figure.name);
    CHECK(figure.value.median > 0);
  }
  const auto again = baseline_from_json(to_json(baseline));
  CHECK(boost::json::serialize(to_json(again)) == boost::json::serialize(to_json(baseline)));
  CHECK_THROWS_WITH(static_cast<void>(baseline_from_json({{"schema", "rightsize/record/1"}})),
                    doctest::Contains("rightsize/baseline/1"));
}

TEST_CASE("direct file: reads and writes what was asked for, and leaves nothing behind") {
  const TemporaryFolder folder;
  const auto path = folder.path() + "/file";
  try {
    DirectFile file(path, 8 << 20);
    file.fill();
    CHECK(file.run({false, true, 4096, 4}, 0.02) > 0);
    CHECK(file.run({true, false, 1 << 20, 2}, 0.02) > 0);
  } catch (const DirectFileError& error) {
    MESSAGE("skipped: " << error.what());
  }
  CHECK(access(path.c_str(), F_OK) != 0);
  CHECK_THROWS_AS(DirectFile(folder.path() + "/none/file", 1 << 20), DirectFileError);
}
