// What was measured on one GPU, on others: a factor of whose program runs, told apart from the
// GPUs.
#include <cmath>

#include <doctest/doctest.h>

#include "models/calibration_files.h"
#include "models/laws/gpu_rate.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

RateQuery question(std::string_view gpu) {
  return {.network = "resnet50",
          .phase = Phase::train,
          .precision = Precision::fp16,
          .gpu = gpu,
          .batch = 128,
          .framework = "PyTorch"};
}

// `factor` times what is said of it before anything was measured.
MeasuredRate measured_on(const GpuRates& rates, const RateQuery& query, double factor) {
  MeasuredRate rate;
  rate.network = query.network;
  rate.phase = query.phase;
  rate.precision = query.precision;
  rate.gpu = query.gpu;
  rate.batch = query.batch;
  rate.items_per_s = factor * rates.rate(query)->items_per_s;
  rate.framework = "PyTorch";
  rate.said_by = "job.toml:3";
  return rate;
}

}  // namespace

TEST_CASE("carried rates: a program that is half as fast on one GPU is slow on others") {
  const auto before = test::shipped_rates();
  auto rates = test::shipped_rates();
  rates.add_measured(std::vector{measured_on(before, question("A10G"), 0.5)});
  for (const auto* gpu : {"L40S", "A100", "H100", "T4", "L4"}) {
    CAPTURE(gpu);
    const auto unknown = before.rate(question(gpu));
    const auto known = rates.rate(question(gpu));
    REQUIRE((unknown && known));
    CHECK(known->regime == RateRegime::carried);
    CHECK(known->source == Source::scaled);
    CHECK(known->items_per_s / unknown->items_per_s ==
          test::approx(std::pow(0.5, 0.7)).epsilon(1e-6));
    CHECK(known->publisher_log_sd == 0);
    CHECK(known->provenance.find("measured on A10G, as job.toml:3 says") != std::string::npos);
  }
}

TEST_CASE("carried rates: a surprise on AMD's GPU is the law's as well as the program's") {
  const auto before = test::shipped_rates();
  auto rates = test::shipped_rates();
  rates.add_measured(std::vector{measured_on(before, question("MI300X"), 0.5)});
  // 0.3^2 / (0.3^2 + 0.4^2) of it is the program's.
  const auto unknown = before.rate(question("H100"));
  const auto known = rates.rate(question("H100"));
  REQUIRE((unknown && known));
  CHECK(known->items_per_s / unknown->items_per_s ==
        test::approx(std::pow(0.5, 0.7 * 0.36)).epsilon(1e-6));
  CHECK(known->log_sd >= unknown->log_sd);
  // Of another of AMD's it is all that another of NVIDIA's would be, and the law is known better.
  const auto alike = rates.rate(question("MI325X"));
  CHECK(alike->items_per_s / before.rate(question("MI325X"))->items_per_s ==
        test::approx(std::pow(0.5, 0.7)).epsilon(1e-6));
  CHECK(alike->log_sd < before.rate(question("MI325X"))->log_sd);
  // What ran on NVIDIA's goes to AMD's, whose law is no better known for it.
  auto others = test::shipped_rates();
  others.add_measured(std::vector{measured_on(before, question("H100"), 0.5)});
  CHECK(others.rate(question("MI300X"))->log_sd > 0.4);
}

TEST_CASE("carried rates: on its own GPU it is what was measured, at another precision a factor") {
  const auto before = test::shipped_rates();
  auto rates = test::shipped_rates();
  const auto measured = measured_on(before, question("A10G"), 0.7);
  rates.add_measured(std::vector{measured});
  const auto here = rates.rate(question("A10G"));
  REQUIRE(here);
  CHECK(here->items_per_s == test::approx(measured.items_per_s));
  CHECK(here->source == Source::measured);
  CHECK(here->provenance == "measured on A10G, as job.toml:3 says");
  auto wide = question("A10G");
  wide.precision = Precision::fp32;
  const auto other = rates.rate(wide);
  REQUIRE(other);
  CHECK(other->regime == RateRegime::carried);
  CHECK(other->items_per_s / before.rate(wide)->items_per_s ==
        test::approx(std::pow(0.7, 0.7)).epsilon(1e-6));
  CHECK(other->log_sd > here->log_sd);
}

TEST_CASE("carried rates: of two that were measured the nearer counts for more") {
  const auto before = test::shipped_rates();
  auto near = question("A100");
  auto far = question("V100");
  far.precision = Precision::fp32;
  far.batch = 16;
  auto rates = test::shipped_rates();
  rates.add_measured(std::vector{measured_on(before, near, 0.5), measured_on(before, far, 1.0)});
  const double factor =
      rates.rate(question("H100"))->items_per_s / before.rate(question("H100"))->items_per_s;
  CHECK(factor < 0.7);
  CHECK(factor > 0.5);
}

TEST_CASE("carried rates: another network, another direction and other years know nothing of it") {
  const auto before = test::shipped_rates();
  auto rates = test::shipped_rates();
  rates.add_measured(std::vector{measured_on(before, question("A10G"), 0.5)});
  auto other = question("A100");
  other.network = "vgg16";
  CHECK(rates.rate(other)->regime != RateRegime::carried);
  other = question("A100");
  other.phase = Phase::infer;
  CHECK(rates.rate(other)->regime != RateRegime::carried);
  other = question("V100");
  other.stack = Stack::era;
  CHECK(rates.rate(other)->regime != RateRegime::carried);
  other = question("A100");
  other.framework = "TensorRT";
  CHECK(rates.rate(other)->regime != RateRegime::carried);
}

TEST_CASE("carried rates: without a framework's name the program's own years answer") {
  auto query = question("P100");
  query.framework = {};
  const auto before = test::shipped_rates();
  CHECK(before.rate(query)->stack == Stack::era);
  auto rates = test::shipped_rates();
  rates.add_measured(std::vector{measured_on(before, question("A10G"), 0.8)});
  const auto known = rates.rate(query);
  REQUIRE(known);
  CHECK(known->stack == Stack::current);
  CHECK(known->regime == RateRegime::carried);
}

TEST_CASE("carried rates: what a user says of his program leaves no say to rightsize's own runs") {
  const auto before = test::shipped_rates();
  const auto users = measured_on(before, question("A10G"), 0.5);
  auto ours = measured_on(before, question("A100"), 2.0);
  ours.framework = {};
  ours.said_by = {};
  auto rates = test::shipped_rates();
  rates.add_measured(std::vector{ours, users});
  CHECK(rates.rate(question("A100"))->items_per_s / before.rate(question("A100"))->items_per_s ==
        test::approx(std::pow(0.5, 0.7)).epsilon(1e-6));
}

TEST_CASE("carried rates: a whole GPU was measured, which had all of the optimizer's work") {
  const auto before = test::shipped_rates();
  auto rates = test::shipped_rates();
  rates.add_measured(std::vector{measured_on(before, question("A10G"), 0.5)});
  auto sharded = question("A100");
  sharded.batch = 1;
  sharded.shards = 64;
  auto half = question("A100");
  half.sm_share = 0.5;
  for (const auto& asked : {sharded, half}) {
    CHECK(rates.rate(asked)->items_per_s / before.rate(asked)->items_per_s ==
          test::approx(std::pow(0.5, 0.7)).epsilon(1e-6));
  }
}

TEST_CASE("carried rates: a program without a name launches as the framework that is asked for") {
  const auto before = test::shipped_rates();
  auto query = question("T4");
  query.phase = Phase::infer;
  query.batch = 64;
  auto nameless = measured_on(before, query, 0.9);
  auto named = nameless;
  nameless.framework = {};
  query.batch = 1;  // where launches are most of the step
  const auto rate_by = [&](const MeasuredRate& rate) {
    auto rates = test::shipped_rates();
    rates.add_measured(std::vector{rate});
    return rates.rate(query)->items_per_s;
  };
  CHECK(rate_by(nameless) == test::approx(rate_by(named)));
}

TEST_CASE("carried rates: a GPU that was measured is not thereby one with published figures") {
  const auto before = test::shipped_rates();
  auto rates = test::shipped_rates();
  auto measured = question("A40");  // nobody published any
  rates.add_measured(std::vector{measured_on(before, measured, 0.8)});
  auto other = measured;
  other.network = "vgg16";
  const auto known = rates.rate(other);
  REQUIRE(known);
  CHECK(known->regime == before.rate(other)->regime);
  CHECK(known->log_sd == test::approx(before.rate(other)->log_sd));
  other = measured;
  other.recompute = true;
  // Of the step without: it says how fast the program is, and blocks take their time.
  CHECK(rates.rate(other)->source == Source::scaled);
  CHECK(rates.rate(other)->items_per_s < 0.85 * rates.rate(measured)->items_per_s);
}
