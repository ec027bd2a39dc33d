// Forward results of the layers of sequences against naive references in double, and their
// gradients against finite differences; odd shapes throughout.
#include <algorithm>
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/builder.h"
#include "support/approx.h"
#include "support/bf16.h"
#include "support/gradient_check.h"
#include "support/reference_sequence.h"

using namespace rightsize;
using rightsize::test::check_gradients;
using rightsize::test::Sequence;
using rightsize::test::Values;

namespace {

constexpr int items = 3;
constexpr int vocabulary = 11;

float largest_difference(const Values& a, const Values& b) {
  REQUIRE(a.size() == b.size());
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

float largest(const Values& values) {
  return std::abs(*std::max_element(values.begin(), values.end()));
}

EngineOptions options_for(Phase phase, int threads = 2) {
  EngineOptions options;
  options.phase = phase;
  options.batch = items;
  options.threads = threads;
  return options;
}

NetworkBuilder language(int sequence) {
  return NetworkBuilder::of_tokens("tiny", "Tiny", sequence, vocabulary, vocabulary);
}

// Every layer's output of one evaluation, and the engine to ask for parameters.
struct Evaluated {
  Evaluated(const Network& net, Phase phase, Precision precision = Precision::fp32)
      : network(net),
        batch(test::noise_batch(net, items)),
        engine(net, with(phase, precision), true) {
    for (const auto& name : engine.parameter_names()) {  // nothing may hide at 0 or 1
      engine.set_parameter(name, test::noise(engine.parameter(name).size(), 5, 0.5F));
    }
    engine.evaluate(batch.view());
  }
  static EngineOptions with(Phase phase, Precision precision) {
    auto options = options_for(phase);
    options.precision = precision;
    return options;
  }
  [[nodiscard]] const Layer& layer(const std::string& name) const {
    return *std::find_if(network.layers.begin(), network.layers.end(), [&](const Layer& l) {
      return l.name == name;
    });
  }
  [[nodiscard]] Sequence output(const std::string& name) const {
    return {items, layer(name).out, engine.output(name)};
  }

  Network network;
  test::TinyBatch batch;
  cpu::CpuEngine engine;
};

// Tokens to attention and back to scores, each kind once.
Network chain(int sequence, const AttentionShape& shape) {
  auto net = language(sequence);
  const auto packed = (shape.heads + 2 * shape.kv_heads) * shape.head_dim;
  const int tokens = net.embedding("tokens", net.input(), vocabulary, 10);
  int x = net.position_embedding("positions", tokens, sequence + 2, 3);
  x = net.layer_norm("layer_norm", x, 1e-3F);
  x = net.linear("qkv", x, packed, true);
  x = net.attention("attention", x, shape);
  x = net.rms_norm("rms_norm", x, 1e-2F);
  x = net.linear("wide", x, 26, false);
  x = net.gated_silu("gated", x);
  x = net.linear("narrow", x, 10, true);
  x = net.activation("gelu", x, Activation::gelu_tanh);
  return net.finish(net.tied_linear("head", x, tokens, true), Optimizer::adam);
}

void check_chain(const Evaluated& e, float tolerance) {
  const auto close = [&](const std::string& name, const Sequence& expected) {
    CAPTURE(name);
    const auto found = e.engine.output(name);
    CHECK(largest_difference(found, expected.values) < tolerance * (1 + largest(expected.values)));
    CHECK(largest(found) > 0.01F);  // not a comparison of zeros
  };
  const auto p = [&](const char* name) { return e.engine.parameter(name); };
  close("layer_norm",
        row_norm(e.layer("layer_norm"),
                 items,
                 e.output("positions"),
                 p("layer_norm.scale"),
                 p("layer_norm.shift")));
  close("qkv",
        linear(e.layer("qkv"), items, e.output("layer_norm"), p("qkv.weights"), p("qkv.bias")));
  close("attention", attention(e.layer("attention"), items, e.output("qkv")));
  close("rms_norm",
        row_norm(e.layer("rms_norm"), items, e.output("attention"), p("rms_norm.scale"), {}));
  close("wide", linear(e.layer("wide"), items, e.output("rms_norm"), p("wide.weights"), {}));
  close("gated", gated_silu(e.layer("gated"), items, e.output("wide")));
  close("head",
        linear(e.layer("head"), items, e.output("gelu"), p("tokens.weights"), p("head.bias")));
}

}  // namespace

TEST_CASE("cpu sequence: the layers of a transformer equal the naive reference") {
  for (const bool causal : {false, true}) {
    for (const double base : {0.0, 100.0}) {
      const AttentionShape shape{
          .heads = 6, .kv_heads = 2, .head_dim = 10, .causal = causal, .rotary_base = base};
      for (const auto phase : {Phase::train, Phase::infer}) {
        check_chain(Evaluated(chain(7, shape), phase), 1e-4F);
      }
    }
  }
}

TEST_CASE("cpu sequence: attention over several blocks of queries and a wide head") {
  const AttentionShape causal{
      .heads = 2, .kv_heads = 1, .head_dim = 40, .causal = true, .rotary_base = 1e4};
  check_chain(Evaluated(chain(101, causal), Phase::train), 1e-4F);
  check_chain(Evaluated(chain(96, {.heads = 3, .kv_heads = 3, .head_dim = 64}), Phase::infer),
              1e-4F);
}

// Windows of less than a block of 48 queries, of one, and of more; not whole panels of 32 keys.
TEST_CASE("cpu sequence: attention to a window of the positions before") {
  for (const std::int64_t window : {1, 7, 48, 70, 200}) {
    CAPTURE(window);
    const AttentionShape shape{.heads = 2,
                               .kv_heads = 1,
                               .head_dim = 40,
                               .causal = true,
                               .rotary_base = 1e4,
                               .window = window};
    for (const auto phase : {Phase::train, Phase::infer}) {
      check_chain(Evaluated(chain(150, shape), phase), 1e-4F);
    }
  }
}

// Of which a block of 48 queries sees the end of the one before and the beginning of the one
// behind.
TEST_CASE("cpu sequence: attention to a window of positions before and behind") {
  for (const std::int64_t window : {1, 7, 49, 129, 401}) {
    CAPTURE(window);
    const AttentionShape shape{
        .heads = 2, .kv_heads = 2, .head_dim = 40, .rotary_base = 1e4, .window = window};
    for (const auto phase : {Phase::train, Phase::infer}) {
      check_chain(Evaluated(chain(150, shape), phase), 1e-4F);
    }
  }
}

TEST_CASE("cpu sequence: bf16 inference stays within its precision of the reference") {
  if (!test::cpu_runs_bf16()) {
    MESSAGE("skipped: this CPU has no AVX-512, which oneDNN's bf16 needs");
    return;
  }
  const AttentionShape shape{
      .heads = 4, .kv_heads = 2, .head_dim = 32, .causal = true, .rotary_base = 1e4};
  check_chain(Evaluated(chain(50, shape), Phase::infer, Precision::bf16), 2e-2F);
}

TEST_CASE("cpu sequence: embeddings are rows of their tables, added up") {
  auto net = language(5);
  const int tokens = net.embedding("tokens", net.input(), vocabulary, 6);
  const int x = net.position_embedding("positions", tokens, 9, 2);
  const Evaluated e(net.finish(net.tied_linear("head", x, tokens)), Phase::infer);
  const auto rows = e.engine.parameter("tokens.weights");
  const auto positions = e.engine.parameter("positions.weights");
  const auto segments = e.engine.parameter("positions.segments");
  const auto found = e.output("positions");
  for (std::int64_t n = 0; n < items; ++n) {
    for (std::int64_t t = 0; t < 5; ++t) {
      const auto token = e.batch.tokens[static_cast<std::size_t>(n * 5 + t)];
      for (std::int64_t c = 0; c < 6; ++c) {
        const float expected = rows[static_cast<std::size_t>(token * 6 + c)] +
                               positions[static_cast<std::size_t>(t * 6 + c)] +
                               segments[static_cast<std::size_t>(c)];
        CHECK(found(n, t, c) == test::approx(static_cast<double>(expected)));
      }
    }
  }
}

TEST_CASE("cpu sequence: a one-hot code has its one where the token says") {
  auto net = language(5);
  const int x = net.one_hot("codes", net.input(), vocabulary);
  const Evaluated e(net.finish(net.linear("head", x, vocabulary, false)), Phase::train);
  const auto found = e.output("codes");
  for (std::int64_t n = 0; n < items; ++n) {
    for (std::int64_t t = 0; t < 5; ++t) {
      for (std::int64_t c = 0; c < vocabulary; ++c) {
        CHECK(found(n, t, c) == (e.batch.tokens[static_cast<std::size_t>(n * 5 + t)] == c ? 1 : 0));
      }
    }
  }
}

TEST_CASE("cpu sequence: an image becomes a sequence, gets a class token and gives it back") {
  NetworkBuilder net("image", "Image", {3, 6, 4}, 5);
  int x = net.convolution("patches", net.input(), 8, {.kernel = 2, .stride = 2}, true);
  x = net.to_sequence("sequence", x);
  x = net.class_token("class", x);
  const int first = net.take_position("first", x, 0);
  const int last = net.take_position("last", x, -1);
  x = net.fully_connected("head", net.add("sum", {first, last}), 5);
  const auto network = net.finish(x);
  const Evaluated e(network, Phase::train);
  const auto patches = e.engine.output("patches");  // n, c, h, w
  const auto token = e.engine.parameter("class.weights");
  const auto sequence = e.output("class");
  CHECK(e.engine.output("sequence") == patches);  // in logical order nothing moves
  for (std::int64_t n = 0; n < items; ++n) {
    for (std::int64_t c = 0; c < 8; ++c) {
      CHECK(sequence(n, 0, c) == static_cast<double>(token[static_cast<std::size_t>(c)]));
      for (std::int64_t t = 0; t < 6; ++t) {
        const auto patch = patches[static_cast<std::size_t>((n * 8 + c) * 6 + t)];
        CHECK(sequence(n, t + 1, c) == static_cast<double>(patch));
      }
      const auto at = static_cast<std::size_t>(n * 8 + c);
      CHECK(e.engine.output("first")[at] == token[static_cast<std::size_t>(c)]);
      CHECK(e.engine.output("last")[at] == patches[at * 6 + 5]);
    }
  }
  check_gradients(network);
}

// ConvNeXt's block: features normalised and mixed position by position, between convolutions.
TEST_CASE("cpu sequence: an image becomes a sequence and an image again") {
  NetworkBuilder net("convnext", "ConvNeXt's block", {3, 6, 4}, 5);
  const int stem = net.convolution("stem", net.input(), 8, {.kernel = 2, .stride = 2}, true);
  int x = net.convolution("window", stem, 8, {.kernel = 3, .pad = 1, .groups = 8}, true);
  x = net.layer_norm("norm", net.to_sequence("sequence", x));
  x = net.activation("gelu", net.linear("wide", x, 24, true), Activation::gelu);
  x = net.to_image("image", net.linear("narrow", x, 8, true), 3, 2);
  x = net.convolution("after", net.add("sum", {stem, x}), 6, {.kernel = 2}, true);
  const auto network = net.finish(net.fully_connected("head", x, 5));
  for (const auto phase : {Phase::train, Phase::infer}) {
    const Evaluated e(network, phase);
    CHECK(e.engine.output("image") == e.engine.output("narrow"));  // in logical order nothing moves
    const auto stem_values = e.engine.output("stem");
    const auto image = e.engine.output("image");
    auto sum = e.engine.output("sum");
    for (std::size_t i = 0; i < sum.size(); ++i) {
      CHECK(sum[i] == test::approx(stem_values[i] + image[i]).epsilon(1e-5));
    }
  }
  check_gradients(network);
}

TEST_CASE("cpu sequence gradient: attention, norms, gate, tied head and embeddings") {
  check_gradients(chain(5, {.heads = 4, .kv_heads = 2, .head_dim = 6}));
  check_gradients(
      chain(5, {.heads = 4, .kv_heads = 2, .head_dim = 6, .causal = true, .rotary_base = 100}));
}

TEST_CASE("cpu sequence gradient: two heads on one table, and the embedding below them") {
  auto net = language(4);
  const int tokens = net.embedding("tokens", net.input(), vocabulary, 9);
  const int x = net.layer_norm("norm", tokens);
  const int one = net.tied_linear("one", x, tokens);
  const int hidden = net.linear("hidden", x, 9, true);
  const int two = net.tied_linear("two", hidden, tokens, true);
  check_gradients(net.finish(net.add("sum", {one, two})));
}

TEST_CASE("cpu sequence gradient: every activation") {
  for (const auto function : {Activation::relu6,
                              Activation::sigmoid,
                              Activation::tanh,
                              Activation::gelu,
                              Activation::gelu_tanh,
                              Activation::silu,
                              Activation::hard_sigmoid,
                              Activation::hard_swish,
                              Activation::leaky_relu,
                              Activation::elu,
                              Activation::squared_relu}) {
    CAPTURE(static_cast<int>(function));
    auto net = language(4);
    int x = net.linear("in", net.one_hot("codes", net.input(), vocabulary), 12, true);
    x = net.activation("function", x, function, 0.2F);
    check_gradients(net.finish(net.linear("head", x, vocabulary, true)));
  }
}

// Across the border of a block of 48 queries, where a step mixes key and value gradients of two.
TEST_CASE("cpu sequence gradient: attention over two blocks equals the slope along the gradient") {
  check_gradients(chain(61, {.heads = 2, .kv_heads = 1, .head_dim = 6, .causal = true}), 2);
  check_gradients(
      chain(61, {.heads = 2, .kv_heads = 1, .head_dim = 6, .causal = true, .window = 10}), 2);
  check_gradients(chain(61, {.heads = 2, .kv_heads = 1, .head_dim = 6, .window = 21}), 2);
}
