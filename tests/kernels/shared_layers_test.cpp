// Layers that use what others have: blocks with one block's parameters (ALBERT), attention to keys
// and values of an earlier one (Gemma 3n), one table of distances for all attentions (DeBERTa).
#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/networks/builder.h"
#include "kernels/runnable.h"
#include "kernels/work.h"
#include "support/approx.h"
#include "support/gradient_check.h"

using namespace rightsize;

namespace {

constexpr std::int64_t length = 5;
constexpr std::int64_t width = 8;

int block(NetworkBuilder& net, const std::string& name, int from) {
  int x = net.linear(name + "_up", from, 2 * width, true);
  x = net.activation(name + "_gelu", x, Activation::gelu);
  x = net.add(name + "_sum", {net.linear(name + "_down", x, width, true), from});
  return net.layer_norm(name + "_norm", x);
}

Network three_blocks(bool shared) {
  NetworkBuilder net("tiny", "Tiny", {3, length, 1}, 6);
  const int rows = net.linear("in", net.to_sequence("rows", net.input()), width, true);
  int x = rows;
  for (const char* name : {"one", "two", "three"}) {
    const int from = x;
    x = block(net, name, from);
    if (shared && from != rows) {
      net.share_parameters(from + 1, rows + 1);
    }
  }
  x = net.linear("head", net.take_position("first", x, 0), 6, true);
  return net.finish(x, Optimizer::adam);
}

constexpr AttentionShape heads{.heads = 2, .kv_heads = 2, .head_dim = 4};

// The second of two attentions has keys and values of its own, or the first one's.
Network two_attentions(bool beside) {
  auto shape = heads;
  shape.causal = true;
  auto net = NetworkBuilder::of_tokens("tiny", "Tiny", length, 20, 20);
  int x = net.embedding("tokens", net.input(), 20, width);
  const int first = net.attention("first", net.linear("qkv", x, 3 * width, false), shape);
  x = net.add("sum", {first, x});
  const int second =
      beside ? net.attention_beside("second", net.linear("q", x, width, false), first, shape)
             : net.attention("second", net.linear("qkv2", x, 3 * width, false), shape);
  return net.finish(net.linear("head", net.add("sum2", {second, x}), 20, false), Optimizer::adam);
}

Network with_distances(int attentions) {
  auto shape = heads;
  shape.distances = 6;
  auto net = NetworkBuilder::of_tokens("tiny", "Tiny", length, 20, 20);
  int x = net.embedding("tokens", net.input(), 20, width);
  for (int i = 1; i <= attentions; ++i) {
    const auto name = std::to_string(i);
    x = net.attention("attention" + name, net.linear("qkv" + name, x, 3 * width, true), shape);
  }
  return net.finish(net.linear("head", x, 20, false), Optimizer::adam);
}

}  // namespace

TEST_CASE("shared layers: parameters count once, work each time") {
  const auto apart = three_blocks(false);
  const auto shared = three_blocks(true);
  const std::uint64_t of_block = 2 * (width * 2 * width) + 2 * width + width + 2 * width;
  CHECK(parameter_count(apart) - parameter_count(shared) == 2 * of_block);
  CHECK(forward_flops(shared) == forward_flops(apart));
  CHECK(training_flops(shared) == training_flops(apart));
  CHECK(activation_elements(shared) == activation_elements(apart));
}

TEST_CASE("shared layers: gradients of all passes add up on the CPU engine") {
  test::check_gradients(three_blocks(true), 3);
}

TEST_CASE("shared layers: they share those of their own kind and shape alone") {
  auto net = NetworkBuilder::of_tokens("tiny", "Tiny", length, 20, 20);
  const int tokens = net.embedding("tokens", net.input(), 20, width);
  const int one = net.linear("one", tokens, width, true);
  net.layer_norm("two", one);
  CHECK_THROWS_AS(net.share_parameters(one + 1, one), EngineError);
}

TEST_CASE("shared layers: keys and values of another layer are cached once") {
  const auto own = two_attentions(false);
  const auto beside = two_attentions(true);
  CHECK(kv_cache_elements(own) == 2 * 2 * width * length);
  CHECK(kv_cache_elements(beside) == 2 * width * length);
  CHECK(beside.layers[6].read_features() == 2 * width);
  CHECK(parameter_count(own) - parameter_count(beside) == 2 * width * width);
}

// By hand: of 2 heads of 4 features, 5 positions and 6 rows of distances.
TEST_CASE("shared layers: scores of distances are two products more, by one table") {
  const auto network = with_distances(2);
  CHECK(layer_work(network, 3).parameters == 6 * width + 2 * width);
  CHECK(layer_work(network, 5).parameters == 0);
  auto plain = network;
  plain.layers[3].distances = 0;
  const auto more = layer_work(network, 3).forward_flops - layer_work(plain, 3).forward_flops;
  CHECK(more == test::approx(length * 2 * (2 * 2 * 6 * 4 + 2 * length)));
  CHECK(layer_work(network, 3).kept_elements - layer_work(plain, 3).kept_elements ==
        2 * 2 * length * length);
}

TEST_CASE("shared layers: what is predicted alone says so") {
  const EngineOptions infer{.phase = Phase::infer};
  for (const auto kind : {EngineKind::cpu, EngineKind::gpu}) {
    for (const auto& network : {with_distances(1), two_attentions(true)}) {
      CHECK_THROWS_WITH_AS(check_runnable(kind, network, infer),
                           doctest::Contains("predicted, not run"),
                           EngineError);
    }
  }
  CHECK_THROWS_WITH_AS(check_runnable(EngineKind::gpu, three_blocks(true), infer),
                       doctest::Contains("share parameters"),
                       EngineError);
  CHECK_NOTHROW(check_runnable(EngineKind::cpu, three_blocks(true), infer));
}
