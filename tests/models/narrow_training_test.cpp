// Training whose products are of 8 bits, and by programs with kernels of their own: what the law
// promises, and published steps that it was set to.
#include <cmath>

#include <doctest/doctest.h>

#include "models/calibration_files.h"
#include "models/laws/gpu_rate.h"

using namespace rightsize;

namespace {

RateQuery llama(Precision precision, std::string_view gpu, std::string_view framework = "PyTorch") {
  return {.network = "llama-8b",
          .phase = Phase::train,
          .precision = precision,
          .gpu = gpu,
          .batch = 1,
          .sequence = 8192,
          .framework = framework,
          .shards = 64};
}

}  // namespace

TEST_CASE("fp8: faster where a GPU multiplies it, and by less than products alone would be") {
  const auto rates = test::shipped_rates();
  for (const auto* gpu : {"H100", "H200", "B200", "L40S", "RTX-4090"}) {
    CAPTURE(gpu);
    const auto wide = rates.rate(llama(Precision::bf16, gpu)).value();
    const auto narrow = rates.rate(llama(Precision::fp8, gpu)).value();
    CHECK(narrow.precision == Precision::fp8);
    CHECK(narrow.source == Source::scaled);
    CHECK(narrow.items_per_s > 1.1 * wide.items_per_s);
    CHECK(narrow.items_per_s < 1.8 * wide.items_per_s);
  }
  const auto a100 = rates.rate(llama(Precision::fp8, "A100-80GB")).value();
  CHECK(a100.precision == Precision::bf16);
  CHECK(a100.items_per_s == rates.rate(llama(Precision::bf16, "A100-80GB"))->items_per_s);
  CHECK(available_precision(*rates.find("V100"), Precision::fp8) == Precision::fp16);
}

// NVIDIA/dgxc-benchmarking v24.11.1: FP8 by BF16 is 1.34 for 8B and 1.53 for 405B, of which more is
// products; here of one GPU without what it exchanges.
TEST_CASE("fp8: larger networks gain more, as published") {
  const auto rates = test::shipped_rates();
  const auto gain = [&](std::string_view network) {
    auto query = llama(Precision::fp8, "H100", "PyTorch (NeMo)");
    query.network = network;
    query.tensor = 4;
    const double narrow = rates.rate(query)->items_per_s;
    query.precision = Precision::bf16;
    return narrow / rates.rate(query)->items_per_s;
  };
  CHECK(gain("llama-8b") > 1.2);
  CHECK(gain("llama-70b") > gain("llama-8b"));
  CHECK(gain("llama-70b") < 1.65);
}

TEST_CASE(
    "programs: kernels for Hopper are faster there, on older GPUs and for CNNs they are not") {
  const auto rates = test::shipped_rates();
  const auto rate = [&](const char* gpu, std::string_view framework) {
    return rates.rate(llama(Precision::bf16, gpu, framework))->items_per_s;
  };
  CHECK(rate("H100", "PyTorch (NeMo)") > 1.2 * rate("H100", "PyTorch"));
  CHECK(rate("B200", "JAX (MaxText)") > 1.2 * rate("B200", "JAX"));
  CHECK(rate("A100-80GB", "PyTorch (NeMo)") < 1.15 * rate("A100-80GB", "PyTorch"));
  // Adapters are fused too.
  auto lora = llama(Precision::bf16, "H100");
  lora.tuning.adapters = parse_adapters("lora:16").value();
  const double apart = rates.rate(lora)->items_per_s;
  lora.framework = "PyTorch (NeMo)";
  CHECK(rates.rate(lora)->items_per_s > 1.4 * apart);
  // Nothing is known of what they answer.
  auto prompt = llama(Precision::bf16, "H100");
  prompt.phase = Phase::infer;
  const double by_pytorch = rates.rate(prompt)->items_per_s;
  prompt.framework = "PyTorch (NeMo)";
  CHECK(rates.rate(prompt)->items_per_s == by_pytorch);
}

TEST_CASE("adapters: no rank takes longer than a larger one") {
  const auto rates = test::shipped_rates();
  for (const auto* gpu : {"A100-80GB", "H200", "RTX-4090"}) {
    CAPTURE(gpu);
    double larger = 0;
    for (const auto* rank : {"lora:128", "lora:64", "lora:16", "lora:4", "lora:2", "lora:1"}) {
      CAPTURE(rank);
      auto query = llama(Precision::bf16, gpu);
      query.sequence = 1024;
      query.tuning.adapters = parse_adapters(rank).value();
      const double rate = rates.rate(query)->items_per_s;
      CHECK(rate >= 0.999 * larger);
      larger = rate;
    }
  }
}
