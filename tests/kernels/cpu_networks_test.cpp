// The built-in networks for real, at full size: seconds, hence labelled slow.
#include <cmath>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/work.h"
#include "support/approx.h"
#include "support/bf16.h"
#include "support/tiny_batch.h"

using namespace rightsize;

TEST_CASE("cpu networks: every family and block kind trains and infers at full size") {
  struct Run {
    Phase phase;
    Precision precision;
  };
  for (const char* name : {"alexnet",
                           "resnet18",
                           "resnet50",
                           "vgg16",
                           "googlenet",
                           "inception-v3",
                           "mobilenet-v2",
                           "mobilenet-v3-small",
                           "efficientnet-b0",
                           "efficientnet-v2-s",
                           "densenet121",
                           "regnety-016",
                           "inception-bn-28-small",
                           "cifar10-convnet",
                           "cifar10-cnn"}) {
    CAPTURE(name);
    const auto network = make_network(name);
    const auto batch = test::noise_batch(network, 2);
    const bool bf16 = test::cpu_runs_bf16();
    for (const auto& run : {Run{Phase::train, Precision::fp32},
                            Run{Phase::train, Precision::bf16},
                            Run{Phase::infer, Precision::fp32},
                            Run{Phase::infer, Precision::bf16}}) {
      if (run.precision == Precision::bf16 && !bf16) {
        MESSAGE("bf16 skipped: this CPU has no AVX-512, which oneDNN's bf16 needs");
        continue;
      }
      CAPTURE(to_string(run.phase));
      CAPTURE(to_string(run.precision));
      EngineOptions options;
      options.phase = run.phase;
      options.precision = run.precision;
      options.batch = 2;
      options.threads = 1;  // two would wait for each other on a busy machine
      cpu::CpuEngine engine(network, options);
      const auto result = engine.step(batch.view());
      CHECK(std::isfinite(result.loss.value()));
      CHECK(result.loss.value() > 0.1);
      if (run.phase == Phase::train) {  // that of guessing, and what the scores' variance adds
        const auto classes = static_cast<double>(network.layers.back().out.c);
        CHECK(result.loss.value() < std::log(classes) + 4);
      }
    }
  }
}

// The plan packs what the formula counts; oneDNN's workspaces and scratchpads come on top.
TEST_CASE("cpu networks: memory held agrees with the formula within 20 %") {
  for (const char* name : {"alexnet", "resnet50", "googlenet", "mobilenet-v2"}) {
    CAPTURE(name);
    const auto network = make_network(name);
    EngineOptions options;
    options.batch = 16;
    const cpu::CpuEngine engine(network, options);
    const auto formula = device_memory_bytes(network, Phase::train, Precision::fp32, 16);
    CHECK(static_cast<double>(engine.memory_bytes()) ==
          test::approx(static_cast<double>(formula)).epsilon(0.20));
  }
}

TEST_CASE("cpu networks: AlexNet learns which eight of a thousand classes there are") {
  const auto network = make_network("alexnet");
  EngineOptions options;
  options.batch = 8;
  options.learning_rate = 0.001F;  // no normalisation tames the steps
  cpu::CpuEngine engine(network, options);
  const auto batch = test::learnable_batch(network, 8);
  const auto first = engine.step(batch.view()).loss.value();
  double last = first;
  for (int i = 0; i < 40; ++i) {
    last = engine.step(batch.view()).loss.value();
  }
  CHECK(last < std::log(8) + 0.5);
  CHECK(first > std::log(1000) - 1);
}

TEST_CASE(
    "cpu networks: transformers and ConvNeXt of full size start near chance and take a training "
    "step") {
  struct Case {
    const char* name;
    int sequence;
    double chance;  // the logarithm of the classes; half a unit more where scores vary by one
  };
  for (const auto& [name, sequence, chance] : {Case{"vit-s16", 0, 7.4},
                                               Case{"vit-b16", 0, 7.4},
                                               Case{"bert-base", 48, 10.3},
                                               Case{"gpt2", 48, 10.8},
                                               Case{"convnext-tiny", 0, 7.4},
                                               Case{"clip-vit-b32", 0, 6.7},
                                               Case{"siglip-b16", 0, 7.1},
                                               Case{"dinov2-s14", 0, 6.4},
                                               Case{"clip-text-b", 0, 6.7},
                                               Case{"siglip-text-b", 0, 7.1}}) {
    CAPTURE(name);
    const auto network = make_network(name, sequence);
    const auto batch = test::noise_batch(network, 2);
    EngineOptions options;
    options.batch = 2;
    options.learning_rate = 1e-4F;
    cpu::CpuEngine engine(network, options);
    const auto first = engine.step(batch.view()).loss.value();
    CHECK(first == test::approx(chance).epsilon(0.15));
    const auto second = engine.step(batch.view()).loss.value();
    CHECK(second < first);
  }
}
