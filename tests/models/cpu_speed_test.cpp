// Other CPUs: their names, their published speed, and what the engine measured here makes of them.
#include "models/laws/cpu_speed.h"

#include <cmath>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "calibration_files.h"
#include "measured_records.h"
#include "models/cpu_anchor.h"
#include "models/validate.h"

using namespace rightsize;

namespace {

CpuSpeeds shipped_speeds() {
  return CpuSpeeds(test::calibration_text("cpu_speed.csv"));
}

// Fitted to runs on an EPYC of Zen 4.
Model shipped_model() {
  return model_from_json(
      boost::json::parse(test::calibration_text("default_model.json")).as_object());
}

}  // namespace

TEST_CASE("cpu speed: a CPU known by family and model is not taken for an older model") {
  const auto speeds = shipped_speeds();
  const auto milan = "AMD EPYC (family 25 model 1)";
  const auto genoa = "AMD EPYC (family 25 model 17)";
  const auto turin = "AMD EPYC (family 26 model 2)";
  CHECK(speeds.relative("aws", "m6a.xlarge", milan).factor == doctest::Approx(1));
  CHECK(speeds.relative("aws", "m7a.xlarge", genoa).factor == doctest::Approx(1));
  CHECK(speeds.relative("aws", "m8a.xlarge", turin).factor == doctest::Approx(1));
  CHECK(speeds.relative("aws", "m6a.xlarge", genoa).factor == doctest::Approx(20431.1 / 32315.7));
}

TEST_CASE("cpu anchor: a network that was measured gives its own level, others take the mean") {
  const auto model = shipped_model();
  Workload workload;
  workload.engine = EngineKind::cpu;
  workload.batch = 8;
  const auto anchor = [&](const char* network, Phase phase = Phase::train) {
    workload.network = network;
    workload.phase = phase;
    return cpu_anchor(model, workload, false);
  };
  const auto resnet = anchor("resnet50");
  const auto alexnet = anchor("alexnet");
  const auto vgg = anchor("vgg16");
  CHECK(vgg.networks == 2);
  CHECK(vgg.ratio == doctest::Approx(std::sqrt(resnet.ratio * alexnet.ratio)));
  CHECK(vgg.log_sd > resnet.log_sd);
  CHECK(anchor("resnet50", Phase::forward).ratio ==
        doctest::Approx(anchor("resnet50", Phase::infer).ratio));
  CHECK(anchor("imdb-lstm").networks == 0);  // no recurrent network was measured
  CHECK(anchor("imdb-lstm").ratio == 1);
  CHECK(anchor("imdb-lstm").log_sd > vgg.log_sd);
}

TEST_CASE(
    "cpu anchor: kinds of CPU differ by vectors, clock and threads, unknown ones by nothing") {
  auto model = shipped_model();
  CHECK_FALSE(another_cpu_kind(model, *cpu_kind_of("AMD EPYC 9R14")));
  CHECK(another_cpu_kind(model, *cpu_kind_of("Xeon (GraniteRapids) (family 6 model 173)")));
  CHECK(cpu_kind_of("AMD EPYC (family 26 model 17)")->flops_per_cycle == 64);
  CHECK(another_cpu_kind(model, *cpu_kind_of("AMD EPYC 9R45")));
  CHECK(another_cpu_kind(model, *cpu_kind_of("Intel(R) Xeon(R) Platinum 8275CL CPU @ 3.00GHz")));
  model.cpu_model = "something new";
  CHECK_FALSE(another_cpu_kind(model, *cpu_kind_of("AMD EPYC 9R45")));
}

TEST_CASE("validate: runs of Zen 5 by the model of Zen 4, each within its reason") {
  const auto records = test::measured_records("founding.jsonl");
  const auto carried = validate_carried(shipped_model(), records, shipped_speeds());
  MESSAGE(carried.rows.size(),
          " runs: median ",
          100 * carried.median_error,
          " %, P90 ",
          100 * carried.p90_error,
          " %, inside ",
          100 * carried.coverage,
          " %");
  REQUIRE(carried.rows.size() > 50);
  CHECK(carried.median_error < 0.07);
  CHECK(carried.p90_error < 0.30);
  CHECK(carried.coverage > 0.83);
  CHECK(carried.coverage < 0.99);
  for (const auto& row : carried.rows) {
    CAPTURE(row.name);
    CAPTURE(row.measured);
    CAPTURE(row.predicted.value);
    // The LSTM, whose steps no run of Zen 4 anchors, comes out twice as fast as it is.
    CHECK(std::abs(std::log(row.predicted.value / row.measured)) < std::log(2.2));
  }
  // Its own machine's runs are not another's.
  CHECK(validate_carried(shipped_model(), test::measured_records("demo.jsonl"), shipped_speeds())
            .rows.empty());
}
