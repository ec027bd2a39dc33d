// Vision encoders on the CPU engine: gradients of small ones with every head, and a block of large
// built-in ones, at sizes that divide oddly too. Whole ones are in cpu_networks_test.
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/vision/vision_encoder.h"
#include "support/approx.h"
#include "support/bf16.h"
#include "support/gradient_check.h"
#include "support/tiny_batch.h"

using namespace rightsize;

namespace {

// Of images of three patches a side and two pixels more.
Network small(VisionShape shape) {
  shape.patch = 3;
  shape.width = 8;
  shape.depth = 1;
  shape.heads = 2;
  shape.feed_forward = 12;
  shape.trained_size = 9;
  shape.embedding = shape.head == VisionHead::projected ? 5 : 8;
  shape.epsilon = 0.05F;  // norms of what starts near zero would bend too sharply
  return make_vision_encoder("tiny", "Tiny", shape, 11);
}

double answer(const Network& network, Precision precision) {
  EngineOptions options;
  options.phase = Phase::infer;
  options.precision = precision;
  options.batch = 2;
  options.threads = 1;
  cpu::CpuEngine engine(network, options);
  const auto batch = test::noise_batch(network, 2);
  return engine.step(batch.view()).loss.value();
}

}  // namespace

TEST_CASE("cpu vision gradient: every head, and images of no whole number of patches") {
  test::check_gradients(
      small({.head = VisionHead::class_token, .activation = Activation::silu, .gated = true}), 2);
  test::check_gradients(
      small({.head = VisionHead::projected, .norm_in_front = true, .patch_biases = false}), 2);
  test::check_gradients(small({.head = VisionHead::attended, .activation = Activation::gelu_tanh}),
                        2);
}

// Heads of 72 and 104 features, gated parts of 4096, and 27 patches a side with six pixels more.
TEST_CASE("cpu vision: a block of the built-in ones answers near chance") {
  for (const auto* const name : {"clip-vit-b32",
                                 "siglip-so400m14",
                                 "clip-vit-bigg14",
                                 "dinov2-g14",
                                 "dinov2-s14:size=231"}) {
    CAPTURE(name);
    auto shape = vision_encoder(name)->shape;
    shape.depth = 1;
    const auto side = static_cast<int>(make_network(name).input.h);
    const auto network = make_vision_encoder(name, name, shape, side);
    const double chance = std::log(network.classes);
    const double told = answer(network, Precision::fp32);
    CHECK(told == test::approx(chance).epsilon(0.3));
    if (test::cpu_runs_bf16()) {
      CHECK(answer(network, Precision::bf16) == test::approx(told).epsilon(0.05));
    }
  }
}
