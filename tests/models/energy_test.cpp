// Energy: watts between idle and full load, work per joule, and the P4 of the founding report.
#include "models/laws/energy.h"

#include <doctest/doctest.h>

#include "models/calibration_files.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

GpuSpec card(double tdp_w) {
  GpuSpec gpu;
  gpu.name = "card";
  gpu.tdp_w = tdp_w;
  return gpu;
}

}  // namespace

TEST_CASE("energy: power goes from idle to full with utilisation, and no further") {
  const auto law = power_of(card(300));
  REQUIRE(law);
  CHECK(watts(*law, 0) == test::approx(law->idle_w));
  CHECK(law->idle_w > 0);
  CHECK(law->idle_w < 0.25 * 300);
  CHECK(watts(*law, 1) == test::approx(300));
  CHECK(watts(*law, 0.5) == test::approx((300 + law->idle_w) / 2));
  CHECK(watts(*law, 1.5) == test::approx(300));
  CHECK(law->source == Source::assumed);
  CHECK_FALSE(power_of(card(0)));  // no TDP: unknown, not free
  const auto measured = power_of(card(300), 240.0);
  REQUIRE(measured);
  CHECK(measured->source == Source::measured);
  CHECK(watts(*measured, 1) == test::approx(240));
}

TEST_CASE("energy: items per joule are rate over power") {
  const Estimate rate{1000, 800, 1250, 0.9, "img/s", Source::fitted};
  const auto energy = energy_of(*power_of(card(250)), 4, 1.0, rate);
  CHECK(energy.watts.value == test::approx(1000));
  CHECK(energy.items_per_joule.value == test::approx(1));
  CHECK(energy.items_per_joule.unit == "img/J");
  CHECK(energy.items_per_joule.source == Source::assumed);  // the weaker of the two
  CHECK(energy.items_per_joule.low < 0.8);                  // wider than the rate alone
  CHECK(energy.items_per_joule.high > 1.25);
}

TEST_CASE("energy: AlexNet inference per watt, K80 < P100 < P4 as in the founding report") {
  const auto rates = test::shipped_rates();
  const auto images_per_joule = [&](const char* gpu) {
    const auto rate = rates.rate("alexnet", Phase::infer, Precision::fp32, gpu, 128);
    REQUIRE(rate);
    const auto* spec = rates.find(gpu);
    REQUIRE(spec != nullptr);
    const Estimate estimate{
        rate->items_per_s, rate->items_per_s, rate->items_per_s, 0.9, "img/s", rate->source};
    return energy_of(*power_of(*spec), 1, 1.0, estimate).items_per_joule.value;
  };
  CHECK(images_per_joule("K80") < images_per_joule("P100-PCIe"));
  CHECK(images_per_joule("P100-PCIe") < images_per_joule("P4"));
}
