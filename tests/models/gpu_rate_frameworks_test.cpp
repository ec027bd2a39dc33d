// Whose figures answer for whom: frameworks, engines and the years of their libraries.
#include <doctest/doctest.h>

#include "models/calibration_files.h"
#include "models/laws/gpu_rate.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

GpuRates shipped() {
  return test::shipped_rates();
}

}  // namespace

// Of the first of each pair nothing but MLPerf's tuned runs is published, of the second nothing but
// Lambda's, or both: a third to two and a half times slower on one and the same card.
TEST_CASE("gpu rates: a GPU is not set against another by who published it") {
  const auto rates = shipped();
  const auto ratio = [&](std::string_view a, std::string_view b) {
    const auto one = rates.rate("resnet50", Phase::train, Precision::fp16, a, 400);
    const auto other = rates.rate("resnet50", Phase::train, Precision::fp16, b, 400);
    REQUIRE((one && other));
    return one->items_per_s / other->items_per_s;
  };
  CHECK(ratio("H200", "H100") > 0.9);
  CHECK(ratio("H200", "H100") < 4813.0 / 3350);  // by its bandwidth, all else is the same
  CHECK(ratio("A10G", "A10") < 1.15);            // MLPerf's and Lambda's figures: 1.47
  CHECK(ratio("L40S", "RTX-6000-Ada") < 1.15);   // 1.91
}

TEST_CASE("gpu rates: what another framework published is not published for the one asked") {
  const auto rates = shipped();
  RateQuery query{.network = "resnet50",
                  .phase = Phase::infer,
                  .precision = Precision::fp16,
                  .gpu = "A100",
                  .batch = 256,
                  .framework = "AITemplate"};
  const auto own = rates.rate(query);
  query.framework = "ONNX Runtime";
  const auto other = rates.rate(query);
  REQUIRE((own && other));
  CHECK(own->regime == RateRegime::published);
  CHECK(own->provenance.find("AITemplate") != std::string::npos);
  CHECK(own->provenance.find("TensorFlow") == std::string::npos);
  CHECK(other->regime == RateRegime::same_pair);
  CHECK(other->source == Source::scaled);
  CHECK(other->log_sd > own->log_sd);
}

TEST_CASE("gpu rates: MXNet's are NVIDIA's and MLPerf's where they published, not a toolkit's") {
  const auto rates = shipped();
  const auto rate = rates.rate({.network = "resnet50",
                                .precision = Precision::fp16,
                                .gpu = "A100",
                                .batch = 408,
                                .framework = "MXNet"});
  REQUIRE(rate);
  CHECK(rate->regime == RateRegime::published);
  CHECK(rate->items_per_s == test::approx(3047).epsilon(0.25));  // MLPerf's
}

TEST_CASE("gpu rates: an engine is today's on a GPU of the era too") {
  const auto rates = shipped();
  RateQuery query{.network = "resnet50", .phase = Phase::infer, .gpu = "P4", .batch = 8};
  const auto framework = rates.rate(query);
  query.framework = "TensorRT";
  const auto engine = rates.rate(query);
  REQUIRE((framework && engine));
  CHECK(engine->stack == Stack::current);
  CHECK(engine->items_per_s > framework->items_per_s);
}

TEST_CASE("gpu rates: a transformer is today's on a GPU of the era too, what the era had is not") {
  const auto rates = shipped();
  const auto stack_of = [&](std::string_view network, std::string_view gpu) {
    return rates.rate(network, Phase::infer, Precision::fp32, gpu, 8)->stack;
  };
  CHECK(stack_of("vit-b16", "P100") == Stack::current);
  CHECK(stack_of("gpt2", "K80") == Stack::current);
  CHECK(stack_of("resnet50", "GTX-1070") == Stack::era);
}

TEST_CASE("gpu rates: an engine answers who names it, nobody else, and faster than a framework") {
  const auto rates = shipped();
  RateQuery query{.network = "bert-base",
                  .phase = Phase::infer,
                  .precision = Precision::fp16,
                  .gpu = "L4",
                  .batch = 8,
                  .sequence = 128};
  const auto untold = rates.rate(query);
  query.framework = "PyTorch";
  const auto framework = rates.rate(query);
  query.framework = "TensorRT";
  const auto engine = rates.rate(query);
  REQUIRE(untold);
  REQUIRE(framework);
  REQUIRE(engine);
  CHECK(engine->source == Source::published);  // NVIDIA's TensorRT README
  CHECK(untold->source == Source::scaled);
  CHECK(engine->items_per_s > 1.5 * framework->items_per_s);
  CHECK(engine->items_per_s > 1.5 * untold->items_per_s);
}

TEST_CASE("gpu rates: today's stack is not the era's, and a share of a GPU is slower than all") {
  const auto rates = shipped();
  RateQuery query{.network = "inception-v3",
                  .precision = Precision::fp32,
                  .gpu = "V100",
                  .batch = 64,
                  .stack = Stack::era};
  const auto era = rates.rate(query);
  query.stack = Stack::current;
  const auto current = rates.rate(query);
  query.sm_share = 0.5;
  const auto half = rates.rate(query);
  REQUIRE((era && current && half));
  CHECK(current->items_per_s != era->items_per_s);  // FP32 on a V100 has hardly changed
  CHECK(half->items_per_s < 0.8 * current->items_per_s);
  CHECK(half->items_per_s > 0.4 * current->items_per_s);
}
