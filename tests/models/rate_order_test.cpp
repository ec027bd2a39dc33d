// What rates of GPUs may not contradict whatever was published: precisions of one unit, the peak of
// a chip, and steps that are part of others.
#include <array>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "kernels/network.h"
#include "models/calibration_files.h"
#include "models/laws/gpu_kernels.h"
#include "models/laws/gpu_rate.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

constexpr std::array<std::string_view, 6> networks{
    "resnet50", "mobilenet-v2", "densenet121", "inception-v3", "bert-base", "gpt2"};

double rate_of(const GpuRates& rates, const RateQuery& query) {
  return rates.rate(query).value().items_per_s;
}

double flops_of_step(std::string_view network, Phase phase) {
  double flops = 0;
  for (const auto& kernel : gpu_work(make_network(network), phase).kernels) {
    flops += kernel.count * kernel.flops_per_item;
  }
  return flops;
}

}  // namespace

TEST_CASE("rate order: BF16 is as fast as FP16, and less certain where figures are of that") {
  const auto rates = test::shipped_rates();
  for (const auto network : networks) {
    for (const auto* gpu : {"A100", "H100", "L4"}) {
      for (const auto phase : {Phase::train, Phase::infer}) {
        for (const int batch : {1, 64}) {
          CAPTURE(network);
          CAPTURE(gpu);
          CAPTURE(batch);
          RateQuery query{.network = network,
                          .phase = phase,
                          .precision = Precision::fp16,
                          .gpu = gpu,
                          .batch = batch};
          const auto half = rates.rate(query).value();
          query.precision = Precision::bf16;
          const auto brain = rates.rate(query).value();
          CHECK(brain.items_per_s == test::approx(half.items_per_s));
          CHECK(brain.log_sd >= half.log_sd);
          CHECK(brain.source == Source::scaled);  // nobody published one of these
        }
      }
    }
  }
}

TEST_CASE("rate order: FP32 is no faster than TF32") {
  const auto rates = test::shipped_rates();
  for (const auto* network : {"unet", "yolov8m", "resnet50", "bert-base"}) {
    for (const auto* gpu : {"RTX-3090", "RTX-4090", "A10G", "A100"}) {
      for (const int batch : {1, 8, 64}) {
        CAPTURE(std::string(network));
        CAPTURE(std::string(gpu));
        CAPTURE(batch);
        RateQuery query{.network = network,
                        .phase = Phase::train,
                        .precision = Precision::fp32,
                        .gpu = gpu,
                        .batch = batch};
        const auto fp32 = rates.rate(query).value();
        query.precision = Precision::tf32;
        const double tf32 = rate_of(rates, query);
        CHECK((fp32.source == Source::published || fp32.items_per_s <= tf32));
      }
    }
  }
}

TEST_CASE("rate order: nothing is cast where what kernels read is kept in 16 bits") {
  CHECK(gpu_work(make_network("bert-base"), Phase::train).casts);
  CHECK_FALSE(gpu_work(make_network("gpt2"), Phase::train).casts);  // as FSDP and Megatron keep it
  auto pure = make_network("bert-base");
  pure.state.masters = false;
  CHECK_FALSE(gpu_work(pure, Phase::train).casts);
}

TEST_CASE("rate order: no rate is above what the GPU's tensor cores could do") {
  const auto rates = test::shipped_rates();
  for (const std::string_view network : {"gpt2", "llama-8b", "vgg16"}) {
    for (const auto* gpu : {"A10G", "T4", "H100", "B200"}) {
      for (const auto* framework : {"", "TensorRT"}) {
        for (const int batch : {1, 64}) {
          CAPTURE(network);
          CAPTURE(gpu);
          CAPTURE(framework);
          const auto rate = rate_of(rates,
                                    {.network = network,
                                     .phase = Phase::infer,
                                     .precision = Precision::bf16,
                                     .gpu = gpu,
                                     .batch = batch,
                                     .framework = framework});
          const double peak = 1e12 * rates.find(gpu)->fp16_tflops;
          CHECK(rate * flops_of_step(network, Phase::infer) <= 0.9001 * peak);
        }
      }
    }
  }
  const auto bound = rates.rate({.network = "llama-8b",
                                 .phase = Phase::infer,
                                 .precision = Precision::bf16,
                                 .gpu = "A10G",
                                 .batch = 1,
                                 .framework = "TensorRT"});
  CHECK(bound->provenance.find("no faster than its matrix products") != std::string::npos);
}

TEST_CASE("rate order: a step is not faster than one that is part of it") {
  const auto rates = test::shipped_rates();
  constexpr std::array phases{Phase::train, Phase::forward_backward, Phase::forward, Phase::infer};
  for (const auto network : networks) {
    for (const auto* gpu : {"A100", "A10G", "L40S", "RTX-3090", "V100"}) {
      for (const auto precision : {Precision::fp32, Precision::fp16}) {
        for (const int batch : {1, 8, 64}) {
          CAPTURE(network);
          CAPTURE(gpu);
          CAPTURE(batch);
          double whole = 0;
          for (const auto phase : phases) {
            const auto rate = rate_of(rates,
                                      {.network = network,
                                       .phase = phase,
                                       .precision = precision,
                                       .gpu = gpu,
                                       .batch = batch,
                                       .stack = Stack::current});
            CHECK(rate > 0.9999 * whole);
            whole = rate;
          }
        }
      }
    }
  }
}
