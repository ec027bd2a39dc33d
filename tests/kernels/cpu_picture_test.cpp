// The layers of images that are made of noise against naive references in double, and their
// gradients against finite differences; odd shapes, several items and threads throughout.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "support/approx.h"
#include "support/gradient_check.h"
#include "support/picture_runs.h"
#include "support/reference_picture.h"

using namespace rightsize;
using test::check_gradients;
using test::evaluated;
using test::picture;
using test::runs;
using test::same;

namespace {

constexpr int items = test::picture_items;

// Over a convolution's layout, whatever oneDNN makes of it, or with channels innermost.
Network normed(std::int64_t channels, std::int64_t groups, bool as_sequence, std::int64_t side) {
  auto net = picture(3, side, side - 2);
  int x = net.convolution("a", net.input(), channels, same, true);
  if (as_sequence) {
    x = net.linear("b", net.to_sequence("sequence", x), channels, true);
    x = net.to_image("image", x, side, side - 2);
  }
  x = net.group_norm("norm", x, groups);
  return net.finish_denoiser(net.convolution("after", x, 4, same, true));
}

}  // namespace

TEST_CASE("cpu picture: groups of channels are normalised, in blocks and across them") {
  for (const auto& run : runs()) {
    for (const auto& [channels, groups] : {std::pair{32, 4}, {40, 4}, {10, 5}, {64, 32}, {7, 1}}) {
      for (const bool as_sequence : {false, true}) {
        CAPTURE(channels);
        CAPTURE(as_sequence);
        // 63 and 143 positions: less than one chunk of the sums, and parts of three.
        for (const std::int64_t side : {9, 13}) {
          const auto e = evaluated(normed(channels, groups, as_sequence, side), run);
          e.check("norm",
                  test::group_norm(e.layer("norm"),
                                   items,
                                   e.output(as_sequence ? "image" : "a"),
                                   e.parameter("norm.scale"),
                                   e.parameter("norm.shift")),
                  run.tolerance);
        }
      }
    }
  }
}

TEST_CASE("cpu picture: a group far from zero keeps its digits") {
  const auto network = normed(32, 4, false, 13);
  EngineOptions options;
  options.batch = items;
  options.phase = Phase::infer;
  cpu::CpuEngine engine(network, options, true);
  engine.set_parameter("a.bias", std::vector<float>(32, 3000.0F));
  engine.evaluate(test::noise_batch(network, items).view());
  const auto expected = test::group_norm(network.layers[2],
                                         items,
                                         engine.output("a"),
                                         engine.parameter("norm.scale"),
                                         engine.parameter("norm.shift"));
  CHECK(test::largest_difference(engine.output("norm"), expected) < 1e-2F);
}

TEST_CASE("cpu picture gradient: groups of channels") {
  check_gradients(normed(32, 4, false, 9));
  check_gradients(normed(10, 5, false, 13), 2);  // does not fill a block
  check_gradients(normed(12, 3, true, 13), 2);
}

namespace {

Network enlarged(std::int64_t channels, std::int64_t times) {
  auto net = picture();
  int x = net.convolution("a", net.input(), channels, same, true);
  x = net.upsample("large", x, times);
  return net.finish_denoiser(net.convolution("after", x, 5, same, true));
}

}  // namespace

TEST_CASE("cpu picture: an image grows by its nearest neighbours") {
  for (const auto& run : runs()) {
    for (const std::int64_t channels : {16, 24, 10}) {
      for (const std::int64_t times : {2, 3}) {
        CAPTURE(channels);
        const auto e = evaluated(enlarged(channels, times), run);
        e.check("large", test::upsample(e.layer("large"), items, e.output("a")), 0);
      }
    }
  }
  auto net = picture();
  const auto of_input = net.finish_denoiser(net.upsample("large", net.input(), 2));
  const auto e = evaluated(of_input, {});
  e.check("large", test::upsample(e.layer("large"), items, e.batch.images), 0);
}

TEST_CASE("cpu picture gradient: an image that has grown") {
  check_gradients(enlarged(16, 2));
  check_gradients(enlarged(10, 3), 2);
}

namespace {

// A vector, of something given, is added to one image and multiplied with another.
Network timed(std::int64_t channels, bool as_sequence) {
  auto net = picture();
  const int time = net.activation("silu", net.given("time", {6, 1, 1}), Activation::silu);
  const int shift = net.linear("shift", time, channels, true);
  const int scale = net.linear("scale", time, channels, true);
  int x = net.convolution("a", net.input(), channels, same, true);
  x = as_sequence ? net.to_sequence("sequence", x) : x;
  x = net.multiply("scaled", net.shift("shifted", x, shift), scale);
  x = as_sequence ? net.to_image("image", x, 9, 7) : x;
  return net.finish_denoiser(net.convolution("after", x, 5, same, true));
}

}  // namespace

TEST_CASE("cpu picture: a number for each channel is added and multiplied") {
  for (const auto& run : runs()) {
    for (const std::int64_t channels : {32, 10}) {
      for (const bool as_sequence : {false, true}) {
        CAPTURE(channels);
        CAPTURE(as_sequence);
        const auto e = evaluated(timed(channels, as_sequence), run);
        e.check("shifted",
                test::per_channel(e.layer("shifted"), items, e.output("a"), e.output("shift")),
                run.tolerance);
        e.check("scaled",
                test::per_channel(e.layer("scaled"), items, e.output("shifted"), e.output("scale")),
                run.tolerance);
      }
    }
  }
}

TEST_CASE("cpu picture gradient: a number for each channel") {
  for (const bool as_sequence : {false, true}) {
    check_gradients(timed(32, as_sequence), 2);
    check_gradients(timed(10, as_sequence));
  }
}

// At inference a convolution takes in a sum that follows it, and must not this one.
TEST_CASE("cpu picture: a shift behind a convolution, and a ReLU behind that") {
  auto net = picture();
  const int vector = net.linear("vector", net.given("time", {6, 1, 1}), 16, true);
  const int shifted =
      net.shift("shifted", net.convolution("a", net.input(), 16, same, true), vector);
  const int rectified = net.relu("relu", shifted);
  const auto network = net.finish_denoiser(net.convolution("after", rectified, 5, same, true));
  EngineOptions options;
  options.batch = items;
  options.phase = Phase::infer;
  cpu::CpuEngine plain(network, options, true);
  cpu::CpuEngine fused(network, options);
  const auto batch = test::noise_batch(network, items);
  CHECK(fused.evaluate(batch.view()).loss.value() ==
        test::approx(plain.evaluate(batch.view()).loss.value()).epsilon(1e-5));
  auto expected = plain.output("shifted");
  for (auto& value : expected) {
    value = std::max(value, 0.0F);
  }
  CHECK(plain.output("relu") == expected);
  check_gradients(network);
}

TEST_CASE("cpu picture: what is given is normal, the seed's, and stays as it is") {
  const auto network = timed(32, false);
  EngineOptions options;
  options.batch = 200;
  options.phase = Phase::infer;
  cpu::CpuEngine one(network, options);
  cpu::CpuEngine again(network, options);
  options.seed = 2;
  cpu::CpuEngine other(network, options);
  const auto values = one.parameter("time.values");
  double mean = 0;
  double square = 0;
  for (const float value : values) {
    mean += static_cast<double>(value) / static_cast<double>(values.size());
    square += static_cast<double>(value * value) / static_cast<double>(values.size());
  }
  CHECK(std::abs(mean) < 0.1);
  CHECK(square == test::approx(1).epsilon(0.1));
  CHECK(again.parameter("time.values") == values);
  CHECK(other.parameter("time.values") != values);
  CHECK(other.parameter("loss.target") != one.parameter("loss.target"));
  one.step(test::noise_batch(network, 200).view());
  CHECK(one.parameter("time.values") == values);
}
