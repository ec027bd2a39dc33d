// Pictures from a prompt to pixels on the CPU engine: denoisers passed several times, with
// guidance.
#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/cpu/guidance.h"
#include "kernels/networks/diffusion/autoencoder.h"
#include "kernels/networks/diffusion/unet.h"
#include "support/approx.h"
#include "support/bf16.h"
#include "support/small_denoiser.h"
#include "support/tiny_batch.h"

using namespace rightsize;
using test::loss_of;
using test::options_for;
using test::two_levels;

namespace {

constexpr int items = test::denoised_items;

Network denoiser() {
  NetworkBuilder net("unet", "U-Net", {4, 4, 4}, 1);
  const int prompt = net.given("prompt", {24, 5, 1});
  return net.finish_denoiser(diffusion::unet(net, two_levels, net.input(), prompt, -1));
}

constexpr std::int64_t words = 5;

// A text encoder, a denoiser, the real decoder: as models.cpp puts them together.
Network small_picture(std::int64_t steps, std::int64_t copies) {
  auto net = NetworkBuilder::of_tokens("picture", "Picture", words, 30, 1);
  net.repeat(1, copies);
  int prompt = net.embedding("tokens", net.input(), 30, 24);
  prompt = net.layer_norm("prompt", net.linear("encoded", prompt, 24, true));
  net.repeat(steps, copies);
  const int noise = diffusion::unet(net, two_levels, net.given("latents", {4, 4, 4}), prompt, -1);
  net.repeat(1, 1);
  return net.finish_denoiser(diffusion::decode_latents(net, noise, true));
}

std::int64_t runs_of(cpu::CpuEngine& engine, const Network& network, const std::string& part) {
  const auto times = engine.timed_step(test::noise_batch(network, items).view());
  return std::count_if(
      times.begin(), times.end(), [&](const auto& time) { return time.name == part; });
}

}  // namespace

// What the first round reads from before the loop must be there in the last one, too.
TEST_CASE("cpu denoiser: a picture of several steps passes its denoiser so often, and only that") {
  const auto once = small_picture(1, 1);
  const auto often = small_picture(4, 1);
  cpu::CpuEngine engine(often, options_for(Phase::infer));
  CHECK(runs_of(engine, often, "unet_in.forward") == 4);
  CHECK(runs_of(engine, often, "unet_out.forward") == 4);
  CHECK(runs_of(engine, often, "encoded.forward") == 1);
  CHECK(runs_of(engine, often, "vae_in.forward") == 1);
  CHECK(loss_of(often, options_for(Phase::infer)) ==
        test::approx(loss_of(once, options_for(Phase::infer))).epsilon(1e-6));
  CHECK(loss_of(once, options_for(Phase::train)) ==
        test::approx(loss_of(once, options_for(Phase::infer))).epsilon(1e-5));
}

// At inference a convolution adds to what lies in its sum's other input: not where that is given,
// and not where another round reads it again.
TEST_CASE("cpu denoiser: no step and no round overwrites what the next one reads") {
  const auto repeated = [](bool is_given, std::int64_t passes) {
    NetworkBuilder net("sums", "Sums", {8, 6, 6}, 1);
    const auto same = diffusion::same_3x3;
    const int x =
        is_given ? net.given("x", {16, 6, 6}) : net.convolution("x", net.input(), 16, same, true);
    net.repeat(passes, 1);
    const int y = net.convolution("y", net.input(), 16, same, true);
    const int sum = net.add("sum", {y, x});
    net.repeat(1, 1);
    return net.finish_denoiser(net.convolution("out", sum, 5, same, true));
  };
  for (const bool is_given : {false, true}) {
    for (const int passes : {1, 3}) {
      const auto network = repeated(is_given, passes);
      cpu::CpuEngine kept(network, options_for(Phase::infer), true);
      cpu::CpuEngine engine(network, options_for(Phase::infer));
      const auto batch = test::noise_batch(network, items);
      const double loss = kept.step(batch.view()).loss.value();
      for (int step = 0; step < 3; ++step) {
        CHECK(engine.step(batch.view()).loss.value() == test::approx(loss).epsilon(1e-6));
      }
    }
  }
}

// The memory of what only the first layer of a round reads is free behind it, in the last round.
TEST_CASE("cpu denoiser: each round finds what was made before all of them") {
  const auto rounds = [](std::int64_t passes) {
    NetworkBuilder net("rounds", "Rounds", {8, 6, 6}, 1);
    const auto same = diffusion::same_3x3;
    const int before = net.convolution("before", net.input(), 16, same, true);
    net.repeat(passes, 1);
    int x = net.activation("first", before, Activation::silu);
    for (const char* const name : {"a", "b", "c", "d"}) {
      x = net.convolution(name, x, 16, same, true);
    }
    net.repeat(1, 1);
    return net.finish_denoiser(net.convolution("out", x, 5, same, true));
  };
  CHECK(loss_of(rounds(3), options_for(Phase::infer)) ==
        test::approx(loss_of(rounds(1), options_for(Phase::infer))).epsilon(1e-6));
}

TEST_CASE("cpu denoiser: guidance takes each item with its prompt and without") {
  const auto network = small_picture(2, 2);
  cpu::CpuEngine engine(network, options_for(Phase::infer), true);
  engine.evaluate(test::noise_batch(network, items).view());
  const auto size_of = [&](const char* layer) { return engine.output(layer).size(); };
  CHECK(size_of("tokens") == 2 * items * words * 24);
  CHECK(size_of("unet_out") == 2 * items * 4 * 4 * 4);
  CHECK(size_of("vae_quantised") == items * 4 * 4 * 4);
  const auto rows = engine.output("tokens");
  const auto half = static_cast<std::ptrdiff_t>(rows.size() / 2);
  CHECK(std::equal(rows.begin(), rows.begin() + half, rows.begin() + half));
}

TEST_CASE("cpu denoiser: guidance goes beyond what the prompt changes") {
  NetworkBuilder net("guided", "Guided", {3, 3, 1}, 1);
  net.repeat(1, 2);
  const int both = net.linear("both", net.given("features", {5, 3, 1}), 7, true);
  net.repeat(1, 1);
  const auto network = net.finish_denoiser(net.add("sum", {both, both}));
  cpu::CpuEngine engine(network, options_for(Phase::infer), true);
  engine.evaluate(test::noise_batch(network, items).view());
  const auto made = engine.output("both");
  const auto sum = engine.output("sum");
  REQUIRE(made.size() == 2 * sum.size());
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const float guided = made[i] + cpu::guidance_scale * (made[sum.size() + i] - made[i]);
    CHECK(sum[i] == test::approx(2 * guided).epsilon(1e-4));
  }
}

TEST_CASE("cpu denoiser: what cannot run says what can") {
  const auto refused = [](const Network& network, const EngineOptions& options, const char* words) {
    CHECK_THROWS_WITH_AS(cpu::CpuEngine(network, options), doctest::Contains(words), EngineError);
  };
  refused(small_picture(2, 1), options_for(Phase::train), "runs in phase infer alone");
  refused(small_picture(1, 2), options_for(Phase::forward), ":steps=1:guidance=no");
  refused(denoiser(),
          options_for(Phase::train, Precision::bf16),
          test::cpu_runs_bf16() ? "layers of sequences, which train in fp32 alone"
                                : "use precision fp32");
  refused(denoiser(), options_for(Phase::decode), "decode needs a language model");
  CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(EngineKind::gpu, denoiser(), {})),
                       doctest::Contains("or use engine cpu"),
                       EngineError);
}
