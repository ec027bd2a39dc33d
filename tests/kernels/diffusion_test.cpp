// Models that make pictures: counts as published, and what a form (steps, size, guidance) changes.
#include "kernels/networks/diffusion/diffusion.h"

#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/network_error.h"
#include "kernels/work.h"
#include "support/approx.h"
#include "support/layer_order.h"

using namespace rightsize;

namespace {

std::uint64_t parameters_of(const Network& network, const std::string& prefix) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    sum += network.layers[i].name.starts_with(prefix) ? layer_work(network, i).parameters : 0;
  }
  return sum;
}

// Products of convolutions and linear layers; published counts leave attention's out.
double multiply_adds(const Network& network) {
  double sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    if (layer.kind == LayerKind::convolution || layer.kind == LayerKind::linear) {
      const double biases = layer.bias ? static_cast<double>(layer.out.elements()) : 0;
      sum += (layer_work(network, i).forward_flops - biases) / 2;
    }
  }
  return sum;
}

}  // namespace

// As the checkpoints have them: of the U-Nets and FLUX as torchinfo and others print them (ten
// unrelated pages agree on 859,520,964 and on 2,567,463,684), of CLIP's encoders and the
// autoencoder's decoder (34,163,664 of its 83,653,863 are the encoder's) likewise.
TEST_CASE("diffusion: parameters equal the published counts exactly") {
  const auto all = [](const char* name) { return parameter_count(make_network(name)); };
  CHECK(all("sd-1.5-denoiser") == 859'520'964);
  CHECK(all("sd-2.1-denoiser") == 865'910'724);
  CHECK(all("sdxl-denoiser") == 2'567'463'684);
  CHECK(all("flux-dev-denoiser") == 11'901'408'320);
  CHECK(all("flux-schnell-denoiser") == 11'891'178'560);
  CHECK(all("sd3-medium-denoiser") / 100'000'000 == 20);   // "2B"
  CHECK(all("sd3.5-large-denoiser") / 100'000'000 == 80);  // "8B"
  // 20.43, 6.15, 12.82, 1.92 and 13.04 billion, as the hub counts diffusers' files, from memory.
  const auto billions = [&](const char* name) { return static_cast<double>(all(name)) / 1e9; };
  CHECK(billions("qwen-image-denoiser") == test::approx(20.43).epsilon(0.001));
  CHECK(billions("z-image-denoiser") == test::approx(6.15).epsilon(0.002));
  CHECK(billions("hunyuanvideo-denoiser") == test::approx(12.82).epsilon(0.001));
  CHECK(billions("ltx-video-2b-denoiser") == test::approx(1.92).epsilon(0.005));
  CHECK(billions("ltx-video-13b-denoiser") == test::approx(13.04).epsilon(0.005));
  const auto sdxl = make_network("sdxl");
  CHECK(parameters_of(sdxl, "clip_large") == 123'060'480);
  CHECK(parameters_of(sdxl, "clip_giant") == 694'659'840);
  CHECK(parameters_of(sdxl, "vae") == 83'653'863 - 34'163'664);
  CHECK(parameters_of(make_network("sd-2.1"), "clip") == 340'387'840);
  constexpr std::uint64_t relative_positions = 32 * 64;  // text_encoder.h leaves them out
  CHECK(parameters_of(make_network("flux-dev"), "t5") + relative_positions == 4'762'310'656);
}

// HaozheLiu-ST/T-GATE's totals of whole runs, as diffusers' documentation has them, over 25 steps
// with guidance; lwag212/sdxl-sige@0194a81, sdxl/README.md, says 3015.82 GMACs of SDXL's.
TEST_CASE("diffusion: U-Nets have the published multiply-adds") {
  const auto giga = [](const char* name) { return multiply_adds(make_network(name)) / 1e9; };
  CHECK(giga("sd-1.5-denoiser") == test::approx(338.8).epsilon(0.005));
  CHECK(giga("sd-2.1-denoiser") == test::approx(760.8).epsilon(0.005));
  CHECK(giga("sdxl-denoiser") == test::approx(2988.8).epsilon(0.001));
  CHECK(giga("sdxl-denoiser") == test::approx(3015.82).epsilon(0.01));
}

TEST_CASE("diffusion: layers are in order, and nothing but the loss is left unread") {
  for (const auto& info : diffusion_models()) {
    const auto network = usual_picture(info);
    CAPTURE(network.name);
    CHECK(network.layers.back().kind == LayerKind::squared_error);
    CHECK(makes_pictures(network) == !info.denoiser_alone);
    CHECK(is_denoiser(network));
    CHECK(network.classes > 0);  // a replayed accelerator is fed labels below it
    CHECK_FALSE(reads_pictures(network));
    const auto read = test::check_layer_order(network, {0});
    CHECK(read == network.layers.size() - 1);
  }
}

TEST_CASE("diffusion: a picture costs its steps, twice with guidance, and its pixels once") {
  const auto flops = [](const std::string& name) { return forward_flops(make_network(name)); };
  const double pass = flops("sdxl-denoiser");
  CHECK(flops("sdxl:steps=30") - flops("sdxl:steps=20") == test::approx(10 * 2 * pass));
  CHECK(flops("sdxl:steps=30:guidance=no") - flops("sdxl:steps=20:guidance=no") ==
        test::approx(10 * pass));
  const double rest = flops("sdxl:steps=1:guidance=no") - pass;  // text once, pixels once
  CHECK(flops("sdxl:steps=50:guidance=no") == test::approx(50 * pass + rest));
  CHECK(parameter_count(make_network("sdxl:steps=20")) == parameter_count(make_network("sdxl")));
  CHECK(flops("sd-1.5:size=1024x512") < 2.5 * flops("sd-1.5"));
  CHECK(flops("sd-1.5:size=1024x512") > 2 * flops("sd-1.5"));  // attention grows faster
  CHECK(flops("sd-1.5:size=1024x512") == flops("sd-1.5:size=512x1024"));
  CHECK(make_network("sdxl:steps=20").title == "Stable Diffusion XL, 20 steps at 1024x1024");
}

// huggingface.co/datasets/derekl35/diffusers-quantization-benchmarks: what FLUX.1 dev and its text
// encoders take once loaded, all in 16 bits 31.447 GiB, with T5 and the transformer in 8 bits 17.02
// by torchao and 16.4 to 17.3 by Quanto, in 4 bits 10.64 by torchao.
TEST_CASE("diffusion: matrices that lie in fewer bits take as much less as published") {
  const auto gib = [](const std::string& name, Precision precision) {
    const auto network = make_network(name);
    return static_cast<double>(parameter_memory_bytes(network, Phase::infer, precision)) /
           (1024.0 * 1024 * 1024);
  };
  CHECK(gib("flux-dev", Precision::bf16) == test::approx(31.447).epsilon(0.01));
  CHECK(gib("flux-dev:weights=int8", Precision::bf16) == test::approx(17.02).epsilon(0.08));
  CHECK(gib("flux-dev:weights=nf4", Precision::bf16) == test::approx(10.64).epsilon(0.15));
  CHECK(gib("flux-dev:weights=fp8", Precision::fp16) ==
        gib("flux-dev:weights=int8", Precision::bf16));
  // Of a U-Net linear layers alone, not convolutions; products in 8 bits have both.
  CHECK(gib("sdxl:weights=int8", Precision::fp16) < 0.75 * gib("sdxl", Precision::fp16));
  const double denoiser = 2'567'463'684 / (1024.0 * 1024 * 1024);
  CHECK(gib("sdxl", Precision::fp16) - gib("sdxl", Precision::fp8) ==
        test::approx(denoiser).epsilon(0.01));
  CHECK(gib("sdxl-denoiser", Precision::fp8) == test::approx(denoiser).epsilon(0.01));
}

TEST_CASE("diffusion: the form says in how many bits matrices lie, the work is the same") {
  const auto network = make_network("flux-dev:steps=20:weights=nf4");
  CHECK(network.title == "FLUX.1 dev, 20 steps at 1024x1024, weights in 4 bits");
  CHECK(forward_flops(network) == forward_flops(make_network("flux-dev:steps=20")));
  CHECK(parameter_count(network) == parameter_count(make_network("flux-dev")));
  for (const auto& layer : network.layers) {
    const bool pixels = layer.name.starts_with("vae");
    CHECK((layer.weight_bits == 4) == (layer.kind == LayerKind::linear && !pixels));
  }
}

// Many pictures take the denoiser's memory each, and the decoder's once.
TEST_CASE("diffusion: the decoder's memory counts where it is more than the denoiser's") {
  const auto network = make_network("sdxl");
  const auto memory = [&](int batch) {
    return static_cast<double>(device_memory_bytes(network, Phase::infer, Precision::fp16, batch) -
                               parameter_memory_bytes(network, Phase::infer, Precision::fp16));
  };
  const double widest = 256.0 * 1024 * 1024 * 2;  // where 256 channels are made as large as pixels
  CHECK(memory(1) >= 2 * widest);
  CHECK(memory(1) < 4 * widest);
  CHECK(memory(64) == test::approx(2 * memory(32)));
  CHECK(memory(64) < 64 * memory(1));
}

TEST_CASE("diffusion: a form that cannot be is refused, with what can") {
  const auto refused = [](const char* name, const char* words) {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(make_network(name)), doctest::Contains(words), NetworkError);
  };
  refused("sdxl:steps=0", "steps=0: expected 1 to 1000");
  refused("sdxl:steps=many", "steps=many: expected 1 to 1000");
  refused("sdxl:size=1000", "each a multiple of 32");
  refused("sd-1.5:size=512x500", "each a multiple of 64");
  refused("sdxl:size=", "expected pixels, as in size=1024x1024");
  refused("sdxl:guidance=maybe", "expected yes or no");
  refused("sdxl:stps=20", "\"stps=20\": expected :steps=N");
  refused("sdxl:", "\"\": expected :steps=N");
  refused("sdxl:step=20", "did you mean steps=20?");
  refused("sdxl:steps=20:size=512:steps=30", "\"steps=30\": steps is said twice");
  refused("sdxl:weights=int4", "weights=int4: expected fp8, int8 or nf4");
  refused("sdxl-denoiser:weights=int8", "a denoiser alone has :size=");
  refused("sdxl-denoiser:siz=512", "did you mean size=512?");
  refused("sdxl-denoiser:steps=20", "a denoiser alone has :size=");
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network("sdxl", 77)),
                       doctest::Contains("leave sequence out"),
                       NetworkError);
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network("sdlx:steps=20")),
                       doctest::Contains("Did you mean \"sdxl\"?"),
                       UnknownNetwork);
}

TEST_CASE("diffusion: the engine that does not run them says which one does") {
  const auto network = make_network("sd-1.5-denoiser:size=64");
  CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(EngineKind::gpu, network, {})),
                       doctest::Contains("is predicted, not run: ask advise, predict or simulate, "
                                         "or use engine cpu"),
                       EngineError);
  const auto narrow = make_network("sd-1.5:steps=1:size=64:guidance=no:weights=int8");
  EngineOptions infer;
  infer.phase = Phase::infer;
  CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(EngineKind::cpu, narrow, infer)),
                       doctest::Contains("leave :weights= out"),
                       EngineError);
}
