// Models that make pictures run on the CPU engine: small ones by the builders of the real ones,
// trained, passed several times and with guidance.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/diffusion/autoencoder.h"
#include "kernels/networks/diffusion/joint_block.h"
#include "kernels/networks/diffusion/transformers.h"
#include "kernels/networks/diffusion/unet.h"
#include "support/approx.h"
#include "support/bf16.h"
#include "support/gradient_check.h"
#include "support/small_denoiser.h"
#include "support/tiny_batch.h"

using namespace rightsize;
using test::loss_of;
using test::options_for;
using test::two_levels;

namespace {

constexpr int items = test::denoised_items;

constexpr diffusion::UNetShape with_sizes{.levels = 2,
                                          .channels = {32, 64, 0, 0},
                                          .depth = {0, 2, 0, 0},
                                          .middle_depth = 2,
                                          .heads = 0,
                                          .linear_ends = true,
                                          .added = 12};

Network small_unet(const diffusion::UNetShape& shape, std::int64_t side = 8) {
  NetworkBuilder net("unet", "U-Net", {4, side, side}, 1);
  const int prompt = net.given("prompt", {24, 5, 1});
  const int end = shape.added > 0 ? net.given("end", {6, 1, 1}) : -1;
  return net.finish_denoiser(diffusion::unet(net, shape, net.input(), prompt, end));
}

Network small_sd3(bool head_norms) {
  NetworkBuilder net("sd3", "SD3", {16, 8, 6}, 1);
  const int prompt = net.given("prompt", {24, 5, 1});
  const int end = net.given("end", {10, 1, 1});
  return net.finish_denoiser(diffusion::sd3(net, {2, head_norms}, net.input(), prompt, end));
}

// FLUX's own shape is fixed and large: its two kinds of blocks, once each.
Network small_flux() {
  constexpr diffusion::JointShape shape{.width = 24, .heads = 3, .head_norms = true};
  NetworkBuilder net("flux", "FLUX", {4, 6, 6}, 1);
  const int time = diffusion::embedded_time(net, "steps", shape.width);
  diffusion::Streams streams{net.linear("prompt", net.given("features", {10, 7, 1}), 24, true)};
  int x = net.convolution("patches", net.input(), 24, {.kernel = 2, .stride = 2}, true);
  streams.picture = net.to_sequence("picture", x);
  streams = diffusion::joint_block(net, "joint", streams, time, shape);
  x = net.join_positions("sequence", {streams.prompt, streams.picture});
  diffusion::Modulation by(net, "single", time, shape.width, 3);
  const int normed = by.norm("_1", x, 0);
  const int fed = net.activation("fed", net.linear("up", normed, 96, true), Activation::gelu_tanh);
  const auto heads = diffusion::project_heads(net, "single", normed, shape);
  const int attended = net.attention_to("attention", heads.queries, heads.keys_values, 3);
  const int out = net.linear("out", net.concat("parts", {attended, fed}), shape.width, true);
  x = net.take_positions("picture_alone", by.gated_sum("_1", out, 2, x), 7, 9);
  return net.finish_denoiser(
      net.unpatch("noise", diffusion::patches_out(net, x, time, 16), 2, 6, 6));
}

std::vector<Network> denoisers() {
  return {small_unet(two_levels),
          small_unet(with_sizes),
          small_sd3(false),
          small_sd3(true),
          small_flux()};
}

}  // namespace

TEST_CASE("cpu denoiser: a batch is learned by heart") {
  for (const auto& network : denoisers()) {
    CAPTURE(network.title);
    cpu::CpuEngine engine(network, options_for(Phase::train));
    const auto batch = test::noise_batch(network, items);
    const auto first = engine.step(batch.view());
    CHECK_FALSE(first.correct.has_value());  // nothing is told apart
    CHECK(first.loss.value() > 0.5);         // a target of variance 1
    double last = 0;
    for (int i = 0; i < 30; ++i) {
      last = engine.step(batch.view()).loss.value();
    }
    CHECK(last < first.loss.value() / 2);
  }
}

namespace {

using Values = std::vector<std::vector<float>>;  // by parameter

// The loss where every parameter has gone so far along its direction.
double loss_at(cpu::CpuEngine& engine,
               const Batch& batch,
               const Values& start,
               const Values& directions,
               double distance) {
  const auto names = engine.parameter_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto moved = start[i];
    for (std::size_t k = 0; k < directions[i].size(); ++k) {
      moved[k] += static_cast<float>(distance * static_cast<double>(directions[i][k]));
    }
    engine.set_parameter(names[i], moved);
  }
  return engine.evaluate(batch).loss.value();
}

double sum_of_dots(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += test::dot(a[i], b[i]);
  }
  return sum;
}

void check_slope(cpu::CpuEngine& engine,
                 const Batch& batch,
                 const Values& gradients,
                 const Values& directions) {
  constexpr double step = 4e-3;
  const double length = std::sqrt(sum_of_dots(directions, directions));
  Values start;
  for (const auto& name : engine.parameter_names()) {
    start.push_back(engine.parameter(name));
  }
  const auto at = [&](double distance) {
    return loss_at(engine, batch, start, directions, distance / length);
  };
  const double slope = (at(step) - at(-step)) / (2 * step);
  at(0);
  CHECK(slope ==
        test::approx(sum_of_dots(gradients, directions) / length).epsilon(0.03).scale(0.1));
}

}  // namespace

// All parameters at once: along the gradient, and along that of each layer's as if it were 1.
TEST_CASE("cpu denoiser: the loss falls as steeply as the gradients say") {
  for (const auto& network : denoisers()) {
    CAPTURE(network.title);
    cpu::CpuEngine engine(network, options_for(Phase::train));
    const auto batch = test::noise_batch(network, items);
    engine.evaluate(batch.view());
    Values gradients;
    Values evenly;
    for (const auto& name : engine.parameter_names()) {
      gradients.push_back(engine.gradient(name));
      const double norm = std::sqrt(test::dot(gradients.back(), gradients.back()));
      evenly.push_back(norm > 1e-6 ? test::unit(gradients.back()) : gradients.back());
    }
    check_slope(engine, batch.view(), gradients, gradients);
    check_slope(engine, batch.view(), gradients, evenly);
  }
}

TEST_CASE("cpu denoiser: every phase sees the same loss, and bf16 nearly so") {
  for (const auto& network : denoisers()) {
    CAPTURE(network.title);
    const double loss = loss_of(network, options_for(Phase::train));
    for (const auto phase : {Phase::forward, Phase::forward_backward, Phase::infer}) {
      CHECK(loss_of(network, options_for(phase)) == test::approx(loss).epsilon(1e-5));
    }
    if (test::cpu_runs_bf16()) {
      const double narrow = loss_of(network, options_for(Phase::infer, Precision::bf16));
      CHECK(narrow == test::approx(loss).epsilon(0.05));
      CHECK(narrow != loss);
    }
    auto one = options_for(Phase::infer);
    one.threads = 1;
    CHECK(loss_of(network, one) == test::approx(loss).epsilon(1e-5));
  }
}

TEST_CASE("cpu denoiser: labels are nobody's, and may be left out") {
  const auto network = small_flux();
  cpu::CpuEngine engine(network, options_for(Phase::train));
  auto batch = test::noise_batch(network, items);
  const double loss = engine.evaluate(batch.view()).loss.value();
  batch.labels.clear();
  CHECK(engine.evaluate(batch.view()).loss.value() == loss);
}

namespace {

// Images alone, which train in BF16 too.
Network images_alone() {
  NetworkBuilder net("vae", "VAE", {3, 8, 8}, 1);
  const int x = net.convolution("in", net.input(), 32, diffusion::same_3x3, true);
  const int small = net.convolution("half", x, 32, {.kernel = 3, .stride = 2, .pad = 1}, true);
  const int block = diffusion::residual_block(net, "block", small, 64);
  const int large = diffusion::upsampled(net, "large", block);
  const int vector = net.global_average_pool("mean", large);
  const int shifted = net.multiply("gated", net.shift("shifted", large, vector), vector);
  return net.finish_denoiser(net.convolution("out", shifted, 3, diffusion::same_3x3, true));
}

}  // namespace

TEST_CASE("cpu denoiser: training in bf16 follows FP32 where there are images alone") {
  const auto network = images_alone();
  test::check_gradients(network, items);
  if (!test::cpu_runs_bf16()) {
    MESSAGE("skipped: this CPU has no AVX-512, which oneDNN's bf16 needs");
    return;
  }
  const auto batch = test::noise_batch(network, items);
  cpu::CpuEngine wide(network, options_for(Phase::train));
  cpu::CpuEngine narrow(network, options_for(Phase::train, Precision::bf16));
  wide.evaluate(batch.view());
  narrow.evaluate(batch.view());
  for (const auto& name : wide.parameter_names()) {
    const auto expected = wide.gradient(name);
    const auto found = narrow.gradient(name);
    const double norms = std::sqrt(test::dot(expected, expected) * test::dot(found, found));
    if (norms > 1e-6) {
      CAPTURE(name);
      CHECK(test::dot(expected, found) / norms > 0.98);
    }
  }
  double first = 0;
  double expected = 0;
  for (int i = 0; i < 20; ++i) {
    expected = wide.step(batch.view()).loss.value();
    first = i == 0 ? expected : first;
    CHECK(narrow.step(batch.view()).loss.value() ==
          test::approx(expected).epsilon(0.05).scale(first));
  }
  CHECK(expected < first / 2);
}

TEST_CASE("cpu denoiser: two ranks train one, and tell no hits") {
  const auto network = small_unet(two_levels);
  auto options = options_for(Phase::train);
  options.batch = 1;
  options.ranks = 2;
  const auto engine = make_engine(EngineKind::cpu, network, options);
  const auto batch = test::noise_batch(network, 2);
  const auto first = engine->step(batch.view());
  CHECK_FALSE(first.correct.has_value());
  double last = 0;
  for (int i = 0; i < 20; ++i) {
    last = engine->step(batch.view()).loss.value();
  }
  CHECK(last < 0.8 * first.loss.value());
}
