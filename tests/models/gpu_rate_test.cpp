#include "models/laws/gpu_rate.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include <doctest/doctest.h>

#include "models/model.h"

using namespace rightsize;

namespace {

std::string text_of(const std::string& name) {
  std::ifstream in(std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/" + name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

GpuRates shipped() {
  return {text_of("gpus.csv"), text_of("gpu_rates.csv"), text_of("gpu_step.csv")};
}

}  // namespace

TEST_CASE("gpu rates: a published figure comes back as published, within its spread") {
  const auto rates = shipped();
  const auto v100 = rates.rate("resnet50", Phase::train, Precision::fp16, "V100", 256);
  REQUIRE(v100);
  CHECK(v100->source == Source::published);
  CHECK(v100->items_per_s > 700);
  CHECK(v100->items_per_s < 1500);
}

TEST_CASE("gpu rates: a GPU nobody published is scaled, labelled so, and less certain") {
  const auto rates = shipped();
  const auto h100 = rates.rate("resnet50", Phase::train, Precision::fp16, "H100", 256);
  const auto a100 = rates.rate("resnet50", Phase::train, Precision::fp16, "A100", 256);
  REQUIRE(h100);
  REQUIRE(a100);
  CHECK(h100->source == Source::scaled);
  CHECK(h100->log_sd > 2 * a100->log_sd);
  CHECK(h100->items_per_s > a100->items_per_s * 0.9);
  CHECK(h100->provenance.find("A100") != std::string::npos);
}

TEST_CASE("gpu rates: a GPU without tensor cores runs fp32 whatever is asked") {
  const auto rates = shipped();
  const auto k80 = rates.rate("resnet50", Phase::train, Precision::fp16, "K80", 32);
  REQUIRE(k80);
  CHECK(k80->precision == Precision::fp32);
}

TEST_CASE("gpu rates: a larger batch is not slower per item among published V100 figures") {
  const auto rates = shipped();
  double before = 0;
  for (const int batch : {1, 2, 4, 8, 16, 32, 64}) {
    const auto rate = rates.rate("resnet50", Phase::infer, Precision::fp16, "V100", batch);
    REQUIRE(rate);
    CHECK(rate->items_per_s > before * 0.9);
    before = rate->items_per_s;
  }
}

TEST_CASE("gpu rates: leaving a GPU out, its published rate is within the stated interval") {
  const auto rates = shipped();
  int inside = 0;
  int count = 0;
  std::set<std::string> seen;
  for (const auto& figure : rates.published()) {
    if (figure.batch < 32) {
      continue;
    }
    const auto scaled = rates.rate(
        figure.network, figure.phase, figure.precision, figure.gpu, figure.batch, figure.gpu);
    if (!scaled) {
      continue;
    }
    CHECK(scaled->source == Source::scaled);
    const double error = std::abs(std::log(scaled->items_per_s / figure.items_per_s));
    inside += error < 1.645 * scaled->log_sd ? 1 : 0;
    ++count;
  }
  REQUIRE(count > 100);
  const double coverage = static_cast<double>(inside) / count;
  CAPTURE(coverage);
  CHECK(coverage > 0.8);
}

TEST_CASE("gpu rates: unknown GPUs and networks are no numbers, not zeros") {
  const auto rates = shipped();
  CHECK_FALSE(rates.rate("resnet50", Phase::train, Precision::fp16, "Voodoo2", 32));
  CHECK_FALSE(rates.rate("lenet", Phase::train, Precision::fp16, "A100", 32));
}

TEST_CASE("gpu rates: a malformed row is refused with its line") {
  CHECK_THROWS_WITH(GpuRates("gpu,arch\nA,B,C\n", "x\n"), doctest::Contains("gpus.csv:2"));
}

TEST_CASE("gpu rates: what was measured here goes before what others published") {
  auto rates = shipped();
  const std::vector<MeasuredRate> measured = {
      {"resnet50", Phase::train, Precision::fp16, "A100", 256, 3000.0}};
  rates.add_measured(measured);
  const auto rate = rates.rate("resnet50", Phase::train, Precision::fp16, "A100", 256);
  REQUIRE(rate);
  CHECK(rate->source == Source::measured);
  CHECK(rate->items_per_s == doctest::Approx(3000));
  CHECK(rate->log_sd < 0.05);
}

TEST_CASE("gpu rates: driver names become the names of the table") {
  const auto rates = shipped();
  for (const auto& [driver, name] :
       std::vector<std::pair<std::string, std::string>>{{"NVIDIA H200", "H200"},
                                                        {"NVIDIA H100 80GB HBM3", "H100"},
                                                        {"NVIDIA A100-SXM4-80GB", "A100-80GB"},
                                                        {"Tesla V100-SXM2-16GB", "V100"},
                                                        {"NVIDIA L40", "L40"},
                                                        {"NVIDIA L40S", "L40S"},
                                                        {"NVIDIA L4", "L4"},
                                                        {"Tesla T4", "T4"}}) {
    CHECK(canonical_gpu_name(driver) == name);
    CHECK(rates.find(name) != nullptr);
  }
  CHECK(canonical_gpu_name("NVIDIA RTX 9000") == "RTX 9000");
}
