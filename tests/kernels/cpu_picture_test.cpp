// The layers of models that make pictures against naive references in double, and their gradients
// against finite differences; odd shapes, several items and threads throughout.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/builder.h"
#include "support/bf16.h"
#include "support/evaluated.h"
#include "support/gradient_check.h"
#include "support/reference_picture.h"

using namespace rightsize;
using test::check_gradients;
using test::EvaluatedNetwork;

namespace {

constexpr int items = 3;
constexpr double exact = 1e-4;
constexpr double of_bf16 = 3e-2;
constexpr Window same{.kernel = 3, .pad = 1};

struct Run {
  Phase phase = Phase::train;
  Precision precision = Precision::fp32;
  int threads = 3;
  double tolerance = exact;
};

// Training and inference in FP32, and inference in BF16 where this CPU has it.
std::vector<Run> runs() {
  std::vector<Run> all{{}, {.phase = Phase::infer, .threads = 1}};
  if (test::cpu_runs_bf16()) {
    all.push_back({Phase::infer, Precision::bf16, 2, of_bf16});
  } else {
    MESSAGE("bf16 is skipped: this CPU has no AVX-512, which oneDNN's bf16 needs");
  }
  return all;
}

EvaluatedNetwork evaluated(const Network& network, const Run& run) {
  EngineOptions options;
  options.phase = run.phase;
  options.precision = run.precision;
  options.batch = items;
  options.threads = run.threads;
  return {network, options};
}

NetworkBuilder picture(std::int64_t channels = 3, std::int64_t h = 9, std::int64_t w = 7) {
  return {"tiny", "Tiny", {channels, h, w}, 1};
}

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
        doctest::Approx(plain.evaluate(batch.view()).loss.value()).epsilon(1e-5));
  auto expected = plain.output("shifted");
  for (auto& value : expected) {
    value = std::max(value, 0.0F);
  }
  CHECK(plain.output("relu") == expected);
  check_gradients(network);
}

namespace {

// A picture's positions attend to a prompt's, more and fewer than they are.
Network prompted(std::int64_t heads, std::int64_t head_dim, std::int64_t words, std::int64_t side) {
  auto net = picture(5, side, side);
  const auto width = heads * head_dim;
  const int prompt = net.given("prompt", {11, words, 1});
  int x = net.to_sequence("sequence", net.convolution("a", net.input(), width, same, true));
  const int q = net.head_norm("q_norm", net.linear("q", x, width, false), heads);
  const int kv = net.linear("kv", prompt, 2 * width, true);
  x = net.plain_layer_norm("plain", net.attention_to("attention", q, kv, heads));
  x = net.gated_gelu("gated", net.linear("up", x, 2 * 14, true));
  return net.finish_denoiser(net.linear("out", x, 9, true));
}

void check_prompted(const EvaluatedNetwork& e, double tolerance) {
  e.check("kv",
          test::linear(e.layer("kv"),
                       items,
                       e.sequence("prompt"),
                       e.parameter("kv.weights"),
                       e.parameter("kv.bias"))
              .values,
          tolerance);
  e.check("q_norm",
          test::head_norm(e.layer("q_norm"), items, e.sequence("q"), e.parameter("q_norm.scale"))
              .values,
          tolerance);
  e.check("attention",
          test::attention_to(e.layer("attention"), items, e.sequence("q_norm"), e.sequence("kv"))
              .values,
          tolerance);
  const auto width = static_cast<std::size_t>(e.layer("plain").out.c);
  e.check("plain",
          test::row_norm(e.layer("plain"),
                         items,
                         e.sequence("attention"),
                         test::Values(width, 1),
                         test::Values(width, 0))
              .values,
          4 * tolerance);
  e.check("gated", test::gated_gelu(e.layer("gated"), items, e.sequence("up")).values, tolerance);
}

}  // namespace

// Queries of 49 and 121 positions: more than one block of 48, and more than two.
TEST_CASE("cpu picture: attention to another sequence, norms of heads and without a scale, GEGLU") {
  for (const auto& run : runs()) {
    check_prompted(evaluated(prompted(3, 10, 5, 7), run), run.tolerance);
    check_prompted(evaluated(prompted(2, 40, 77, 7), run), run.tolerance);
    check_prompted(evaluated(prompted(1, 64, 150, 11), run), run.tolerance);
    check_prompted(evaluated(prompted(2, 16, 1, 3), run), 2 * run.tolerance);
  }
}

TEST_CASE("cpu picture gradient: attention to another sequence and what is around it") {
  check_gradients(prompted(3, 10, 5, 3));
  check_gradients(prompted(2, 6, 40, 7), 2);
}

// What is given has no gradient, so that the one of keys and values needs layers above it.
TEST_CASE("cpu picture gradient: keys and values that are learned, of the same and of another") {
  auto net = picture(3, 7, 7);
  const int image = net.convolution("a", net.input(), 12, same, true);
  const int small = net.convolution("b", net.input(), 12, {.kernel = 3, .stride = 2}, true);
  const int x = net.to_sequence("x", image);
  const int y = net.to_sequence("y", small);
  const int to_other =
      net.attention_to("cross", net.linear("q1", x, 12, true), net.linear("kv1", y, 24, true), 3);
  const int to_self = net.attention_to(
      "self", net.linear("q2", to_other, 12, true), net.linear("kv2", to_other, 24, true), 2);
  check_gradients(net.finish_denoiser(net.linear("out", to_self, 5, true)), 2);
}

namespace {

Network streams() {
  auto net = picture(3, 6, 4);
  int x = net.convolution("patches", net.input(), 12, {.kernel = 2, .stride = 2}, true);
  x = net.to_sequence("picture", x);
  const int words = net.linear("words", net.given("prompt", {5, 7, 1}), 12, true);
  const int both = net.join_positions("both", {words, x, words});
  const int mixed = net.linear("mixed", both, 12, true);
  const int start = net.take_positions("start", mixed, 0, 6);
  const int middle = net.take_positions("middle", mixed, 7, 6);
  return net.finish_denoiser(net.unpatch("image", net.add("sum", {start, middle}), 2, 6, 4));
}

}  // namespace

TEST_CASE("cpu picture: positions are joined and taken, and patches become an image") {
  for (const auto& run : runs()) {
    const auto e = evaluated(streams(), run);
    const auto words = e.sequence("words");
    const auto picture = e.sequence("picture");
    const auto mixed = e.sequence("mixed");
    test::Sequence both(items, 20, 12);
    test::Sequence start(items, 6, 12);
    test::Sequence middle(items, 6, 12);
    test::for_each({12, 20, 1}, items, [&](auto n, auto c, auto t, auto) {
      both(n, t, c) = static_cast<float>(t < 7    ? words(n, t, c)
                                         : t < 13 ? picture(n, t - 7, c)
                                                  : words(n, t - 13, c));
    });
    test::for_each({12, 6, 1}, items, [&](auto n, auto c, auto t, auto) {
      start(n, t, c) = static_cast<float>(mixed(n, t, c));
      middle(n, t, c) = static_cast<float>(mixed(n, t + 7, c));
    });
    e.check("both", both.values, 0);
    e.check("start", start.values, 0);
    e.check("middle", middle.values, 0);
    e.check("image", test::unpatch(e.layer("image"), items, e.sequence("sum")), 0);
  }
}

TEST_CASE("cpu picture gradient: positions joined and taken, patches put together") {
  check_gradients(streams());
}

TEST_CASE("cpu picture: the loss is the mean squared distance from the target") {
  for (const auto& run : runs()) {
    for (const auto& network : {streams(), normed(10, 5, false, 9)}) {
      const auto e = evaluated(network, run);
      const auto& end = network.layers[network.layers.size() - 2].name;
      CHECK(e.loss ==
            doctest::Approx(test::mean_squared_error(e.output(end), e.parameter("loss.target")))
                .epsilon(1e-5));
      CHECK(e.output("loss") == e.output(end));
    }
  }
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
  CHECK(square == doctest::Approx(1).epsilon(0.1));
  CHECK(again.parameter("time.values") == values);
  CHECK(other.parameter("time.values") != values);
  CHECK(other.parameter("loss.target") != one.parameter("loss.target"));
  one.step(test::noise_batch(network, 200).view());
  CHECK(one.parameter("time.values") == values);
}

TEST_CASE("cpu picture: an embedding of what is given looks up ids, each of its rows") {
  auto net = picture(2, 2, 2);
  const int rows = net.embedding("rows", net.given("ids", {1, 40, 1}), 9, 4);
  const int x = net.take_positions("some", rows, 3, 4);
  const int y = net.to_sequence("pixels", net.convolution("a", net.input(), 4, same, true));
  const auto network = net.finish_denoiser(net.add("sum", {x, y}));
  EngineOptions options;
  options.batch = items;
  options.threads = 2;
  cpu::CpuEngine engine(network, options, true);
  const auto batch = test::noise_batch(network, items);
  engine.evaluate(batch.view());
  const auto ids = engine.parameter("ids.values");
  const auto table = engine.parameter("rows.weights");
  const test::Sequence found(items, {4, 40, 1}, engine.output("rows"));
  std::vector<bool> seen(9, false);
  for (std::int64_t n = 0; n < items; ++n) {
    for (std::int64_t t = 0; t < 40; ++t) {
      const auto id = ids[static_cast<std::size_t>(n * 40 + t)];
      REQUIRE(id == std::floor(id));
      REQUIRE(id >= 0);
      REQUIRE(id < 9);
      seen[static_cast<std::size_t>(id)] = true;
      for (std::int64_t c = 0; c < 4; ++c) {
        CHECK(found(n, t, c) ==
              static_cast<double>(
                  table[static_cast<std::size_t>(id) * 4 + static_cast<std::size_t>(c)]));
      }
    }
  }
  CHECK(seen == std::vector<bool>(9, true));
  check_gradients(network);
}
