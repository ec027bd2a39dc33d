// GPUs that nobody published figures of: what chips' data sheets allow, whatever the constants are.
#include <array>
#include <string>

#include <doctest/doctest.h>

#include "kernels/network.h"
#include "models/calibration_files.h"
#include "models/laws/gpu_kernels.h"
#include "models/laws/toolchain.h"

using namespace rightsize;

namespace {

struct Bounds {
  const char* faster;
  const char* slower;
  double least;
  double most;
};

// Mixed precision, large networks, large batches: a step is passes over memory and tensor products,
// so that the ratio is near that of bandwidths to that of tensor rates, and a tenth or two below
// the smaller one where newer tensor cores are harder to feed.
constexpr std::array family{
    // Bandwidth 1.64, tensor 3.2; 1.76 measured at batch 1280 (Lambda), less at 128.
    Bounds{"H100", "A100-80GB", 1.2, 3.2},
    Bounds{"H200", "H100", 1.0, 1.45},          // the same chip, bandwidth 1.43
    Bounds{"B200", "H100", 1.2, 2.6},           // 2.3 and 2.3, less what waits for launches
    Bounds{"A100-80GB", "V100", 1.4, 3.0},      // 2.3 and 2.5
    Bounds{"A100-80GB", "A10G", 2.2, 5.0},      // 3.4 and 4.5
    Bounds{"V100", "T4", 2.0, 4.2},             // 2.8 and 1.9, at 70 W
    Bounds{"A10G", "T4", 0.95, 3.3},            // 1.9 and 1.1, at 300 W to 70
    Bounds{"L4", "T4", 0.85, 2.2},              // 0.94 and 1.9, both at 70 W
    Bounds{"L40S", "A10G", 1.3, 5.2},           // 1.4 and 5.2
    Bounds{"L40S", "L4", 2.0, 4.5},             // 2.9 and 3.0, at five times the power
    Bounds{"A100-80GB", "RTX-4090", 1.0, 2.6},  // 2.0 and 1.9; Ada's cache is large
    Bounds{"RTX-PRO-6000", "L40S", 1.1, 2.3},   // 1.8 and 1.3
    Bounds{"MI300X", "MI250", 2.0, 7.3},        // 3.2 and 7.2
    Bounds{"MI325X", "MI300X", 1.0, 1.35},      // 1.13 and the same chip, at 1.33 the power
    Bounds{"MI355X", "MI300X", 1.1, 3.0},       // 1.5 and 1.9, less what waits for launches
    Bounds{"MI300X", "A100-80GB", 1.2, 4.2},    // 2.6 and 4.2
};

}  // namespace

TEST_CASE("gpu family: ratios between GPUs are what their data sheets allow") {
  const auto rates = test::shipped_rates();
  const auto rate = [&](const char* gpu, const std::string& network, int batch) {
    const auto found = rates.rate({.network = network,
                                   .phase = Phase::train,
                                   .precision = Precision::fp16,
                                   .gpu = gpu,
                                   .batch = batch,
                                   .stack = Stack::current,
                                   .framework = "PyTorch"});
    REQUIRE(found);
    return found->items_per_s;
  };
  for (const auto& bounds : family) {
    for (const auto& [network, batch] :
         {std::pair(std::string("resnet50"), 128), std::pair(std::string("bert-large"), 16)}) {
      INFO(std::string(bounds.faster), " to ", std::string(bounds.slower), ", ", network);
      const double ratio =
          rate(bounds.faster, network, batch) / rate(bounds.slower, network, batch);
      CHECK(ratio >= bounds.least);
      CHECK(ratio <= bounds.most);
    }
  }
}

TEST_CASE("gpu family: more bandwidth or more FLOP/s never makes a step longer") {
  const GpuStepLaw law;
  const auto rates = test::shipped_rates();
  for (const auto& known : rates.gpus()) {
    for (const auto precision : {Precision::fp32, Precision::fp16}) {
      if (available_precision(known, precision) != precision || is_compiled_whole(known)) {
        continue;
      }
      const auto work = gpu_work(make_network("resnet50"), Phase::train);
      const StepSetting setting{.precision = precision, .batch = 64};
      const double before = law.seconds(work, known, setting);
      auto wider = known;
      wider.bandwidth_gbs *= 1.2;
      auto faster = known;
      (precision == Precision::fp32 ? faster.fp32_tflops : faster.fp16_tflops) *= 1.05;
      CAPTURE(known.name);
      CHECK(law.seconds(work, wider, setting) < before);
      CHECK(law.seconds(work, faster, setting) < before);
    }
  }
}
