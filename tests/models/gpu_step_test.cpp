#include "models/laws/gpu_step.h"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "kernels/work.h"
#include "models/calibration_files.h"
#include "models/laws/gpu_step_constants.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

double flops_of(const GpuWork& work) {
  double sum = 0;
  for (const auto& kernel : work.kernels) {
    sum += kernel.count * kernel.flops_per_item;
  }
  return sum;
}

}  // namespace

TEST_CASE("gpu step: the kernels do the network's products, once forward and thrice in training") {
  for (const char* name : {"resnet50", "vgg16", "inception-v3", "mobilenet-v2", "bert-base"}) {
    const auto network = make_network(name);
    CAPTURE(name);
    CHECK(flops_of(gpu_work(network, Phase::infer)) ==
          test::approx(forward_flops(network)).epsilon(0.06));
    CHECK(flops_of(gpu_work(network, Phase::train)) ==
          test::approx(training_flops(network)).epsilon(0.06));
  }
}

TEST_CASE("gpu step: one kernel by hand") {
  const GpuStepLaw law;
  GpuSpec gpu;
  gpu.name = "toy";
  gpu.arch = "Maxwell";
  gpu.fp32_tflops = 1;
  gpu.bandwidth_gbs = 100;
  GpuWork work;
  GpuKernel copy;
  copy.elements_per_item = 1e6;
  work.kernels.push_back(copy);
  const auto log_of = [](std::string_view name) {
    for (const auto& constant : step_constants()) {
      if (constant.name == name) {
        return constant.prior;
      }
    }
    return std::nan("");
  };
  const double bandwidth = 100e9 * std::exp(log_of("memory"));
  const double expected = 4 * 1e6 * 8 / bandwidth + std::exp(log_of("latency"));
  StepSetting setting;
  setting.batch = 8;
  setting.framework = "MXNet";
  CHECK(law.seconds(work, gpu, setting) == test::approx(expected));
}

TEST_CASE("gpu step: a larger batch takes longer and less per item, a faster GPU less") {
  const auto rates = test::shipped_rates();
  const auto work = gpu_work(make_network("resnet50"), Phase::train);
  const GpuStepLaw law;
  const auto seconds = [&](const char* gpu, int batch, Precision precision) {
    return law.seconds(work, *rates.find(gpu), {.precision = precision, .batch = batch});
  };
  double before = 0;
  for (int batch = 1; batch <= 256; batch *= 2) {
    const double now = seconds("V100", batch, Precision::fp32);
    CHECK(now >= before);
    CHECK(now <= 2 * before + 1);
    CHECK((before == 0 || now / batch <= before / (batch / 2) * (1 + 1e-9)));
    before = now;
  }
  CHECK(seconds("V100", 64, Precision::fp16) < seconds("V100", 64, Precision::fp32));
  CHECK(seconds("H100", 64, Precision::fp16) < seconds("A100", 64, Precision::fp16));
  CHECK(seconds("A100", 64, Precision::fp16) < seconds("T4", 64, Precision::fp16));
}

TEST_CASE("gpu step: matrices in 8 bits are widened before each product, but by CTranslate2") {
  const auto rates = test::shipped_rates();
  const auto& gpu = *rates.find("A100");
  const GpuStepLaw law;
  const auto seconds = [&](const char* network, const char* framework) {
    return law.seconds(gpu_work(make_network(network), Phase::infer),
                       gpu,
                       {.precision = Precision::fp16, .framework = framework});
  };
  CHECK(seconds("whisper-tiny:weights=int8", "PyTorch") > seconds("whisper-tiny", "PyTorch"));
  CHECK(seconds("whisper-tiny:weights=int8", "CTranslate2") ==
        test::approx(seconds("whisper-tiny", "CTranslate2")).epsilon(0.05));  // but launches
}

TEST_CASE("gpu step: a decoder that writes waits for its host, by whose program it is") {
  const auto rates = test::shipped_rates();
  const auto& gpu = *rates.find("A100");
  const GpuStepLaw law;
  const auto work = gpu_work(make_network("whisper-small:tokens=99"), Phase::infer);
  CHECK(work.written.tokens == 100);       // and what a text begins with
  CHECK(work.written.blocks == 100 * 12);  // Whisper small's decoder
  CHECK(work.takes_given);
  const auto seconds = [&](const char* framework) {
    return law.seconds(work, gpu, {.precision = Precision::fp16, .framework = framework});
  };
  CHECK(seconds("PyTorch") > 100 * (3e-3 + 12 * 0.6e-3));
  CHECK(seconds("CTranslate2") > 100 * (3e-3 + 12 * 0.4e-3));
  CHECK(seconds("CTranslate2") < seconds("PyTorch"));  // launches cost less there
  CHECK(seconds("TensorRT") < seconds("ONNX Runtime"));
  CHECK(seconds("ONNX Runtime") < seconds("CTranslate2"));
  const auto trained = gpu_work(make_network("whisper-small-training"), Phase::train);
  CHECK(trained.written.tokens == 0);
  CHECK(trained.takes_given);
  CHECK(gpu_work(make_network("gpt2"), Phase::infer).written.tokens == 0);
}

// What a window hides nobody computes: such attention is in one kernel, as denoisers' is.
TEST_CASE("gpu step: attention is fused in language models and where it has a window") {
  const auto fused = [](const char* name) {
    const auto work = gpu_work(make_network(name), Phase::train);
    return std::count_if(
        work.kernels.begin(), work.kernels.end(), [](const auto& kernel) { return kernel.fused; });
  };
  CHECK(fused("gpt2") > 0);
  CHECK(fused("modernbert-base") > 0);
  CHECK(gpu_work(make_network("modernbert-large"), Phase::train).language_parameters == 0);
  CHECK(fused("bert-base") == 0);
  CHECK(fused("bart-base-training") == 0);
}

TEST_CASE("gpu step: YOLO infers with its norms in the convolutions, and trains with them apart") {
  const auto network = make_network("yolov5s");
  REQUIRE(network.fused_to_infer);
  auto unfused = network;
  unfused.fused_to_infer = false;
  const auto norms =
      std::count_if(network.layers.begin(), network.layers.end(), [](const auto& layer) {
        return layer.kind == LayerKind::batch_norm;
      });
  REQUIRE(norms > 0);
  const auto fused = gpu_work(network, Phase::infer);
  const auto apart = gpu_work(unfused, Phase::infer);
  CHECK(apart.launches - fused.launches == static_cast<double>(norms));
  CHECK(flops_of(apart) == flops_of(fused));
  CHECK_FALSE(fused.casts);
  CHECK(apart.casts);
  CHECK(gpu_work(network, Phase::train).launches == gpu_work(unfused, Phase::train).launches);
}
