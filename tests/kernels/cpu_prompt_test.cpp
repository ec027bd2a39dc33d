// What reads a prompt where a picture is made of noise, and joins it: against naive references in
// double, and gradients against finite differences; the loss, too.
#include <cmath>
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

using test::EvaluatedNetwork;

namespace {

constexpr int items = test::picture_items;

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
    for (const auto& network : {streams(), prompted(3, 10, 5, 3)}) {
      const auto e = evaluated(network, run);
      const auto& end = network.layers[network.layers.size() - 2].name;
      CHECK(e.loss ==
            test::approx(test::mean_squared_error(e.output(end), e.parameter("loss.target")))
                .epsilon(1e-5));
      CHECK(e.output("loss") == e.output(end));
    }
  }
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
