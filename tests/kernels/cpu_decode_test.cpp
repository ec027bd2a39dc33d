// Generation with a key-value cache, against the same network run over whole sequences.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/builder.h"
#include "kernels/networks/gpt2.h"
#include "kernels/networks/llama.h"
#include "support/bf16.h"
#include "support/tiny_batch.h"
#include "support/tiny_causal.h"

using namespace rightsize;

namespace {

constexpr int items = 2;

Network tiny_gpt(int sequence) {
  return make_gpt(
      {.name = "tiny", .layers = 2, .width = 32, .heads = 4, .vocabulary = 29, .context = 16},
      sequence);
}

// Every other block sees a window only, where one is given.
Network tiny_llama(int sequence, std::int64_t window = 0) {
  LlamaConfig config;
  config.name = "tiny";
  config.layers = 2;
  config.width = 32;
  config.heads = 4;
  config.kv_heads = 2;
  config.head_dim = 8;
  config.feed_forward = 48;
  config.vocabulary = 29;
  config.context = 64;
  config.window = window;
  config.windowed = {true, false};
  return make_llama(config, sequence);
}

EngineOptions options_for(Phase phase, Precision precision = Precision::fp32) {
  EngineOptions options;
  options.phase = phase;
  options.precision = precision;
  options.batch = items;
  options.threads = 2;
  return options;
}

void copy_parameters(const cpu::CpuEngine& from, cpu::CpuEngine& to) {
  for (const auto& name : from.parameter_names()) {
    to.set_parameter(name, from.parameter(name));
  }
}

// The tokens at position t, one per item.
std::vector<std::int32_t> column(const test::TinyBatch& batch,
                                 std::size_t sequence,
                                 std::size_t t) {
  std::vector<std::int32_t> tokens;
  for (std::size_t n = 0; n < items; ++n) {
    tokens.push_back(batch.tokens[n * sequence + t]);
  }
  return tokens;
}

// Largest difference between the scores of the whole sequence and those made token by token.
double worst_difference(const Network& network, Precision precision) {
  const auto length = static_cast<std::size_t>(network.input.positions());
  const auto classes = static_cast<std::size_t>(network.classes);
  const auto batch = test::noise_batch(network, items);
  cpu::CpuEngine whole(network, options_for(Phase::infer, precision), true);
  cpu::CpuEngine stepwise(network, options_for(Phase::decode, precision), true);
  copy_parameters(whole, stepwise);
  whole.evaluate(batch.view());
  const auto expected = whole.output("head");  // n, c, t
  double worst = 0;
  for (std::size_t t = 0; t < length; ++t) {
    const auto tokens = column(batch, length, t);
    const auto result = stepwise.step({.images = {}, .labels = {}, .tokens = tokens});
    CHECK_FALSE(result.loss.has_value());
    const auto scores = stepwise.output("head");
    for (std::size_t i = 0; i < scores.size(); ++i) {
      worst = std::max(worst, std::abs(static_cast<double>(scores[i] - expected[i * length + t])));
    }
    CHECK(scores.size() == items * classes);
  }
  return worst;
}

}  // namespace

TEST_CASE("cpu decode: token by token gives the scores of the whole sequence") {
  CHECK(worst_difference(tiny_gpt(13), Precision::fp32) < 1e-4);
  CHECK(worst_difference(tiny_llama(50), Precision::fp32) < 1e-4);
  CHECK(worst_difference(tiny_llama(50, 12), Precision::fp32) < 1e-4);  // round the ring four times
  if (!test::cpu_runs_bf16()) {
    MESSAGE("skipped: this CPU has no AVX-512, which oneDNN's bf16 needs");
    return;
  }
  CHECK(worst_difference(tiny_gpt(13), Precision::bf16) < 0.1);  // of scores up to 3 or 4
  CHECK(worst_difference(tiny_llama(50), Precision::bf16) < 0.1);
}

TEST_CASE("cpu decode: so it is with every kind of block") {
  for (const auto& config : test::tiny_causals()) {
    CAPTURE(config.name);
    CHECK(worst_difference(make_causal(config, 13), Precision::fp32) < 1e-4);
  }
}

TEST_CASE(
    "cpu decode: a prompt is noise in the cache, and a full sequence starts again behind it") {
  const auto network = tiny_llama(6);
  auto options = options_for(Phase::decode);
  options.prompt = 4;
  cpu::CpuEngine engine(network, options, true);
  const auto keys = engine.parameter("block1_attention.keys");
  CHECK(std::count(keys.begin(), keys.end(), 0.0F) == 0);
  const std::vector<std::int32_t> tokens{3, 5};
  const Batch batch{.images = {}, .labels = {}, .tokens = tokens};
  engine.step(batch);  // position 4
  const auto first = engine.output("head");
  engine.step(batch);  // position 5, the last
  CHECK(engine.output("head") != first);
  engine.step(batch);  // position 4 again: the same cache before it, the same scores
  CHECK(engine.output("head") == first);
  const auto now = engine.parameter("block1_attention.keys");
  const std::size_t per_head = 6 * 8;  // positions x head_dim
  CHECK(std::equal(keys.begin(), keys.begin() + 4 * 8, now.begin()));
  CHECK_FALSE(std::equal(keys.begin() + 4 * 8, keys.begin() + per_head, now.begin() + 4 * 8));
}

TEST_CASE("cpu decode: the cache of a window holds no more than it") {
  const cpu::CpuEngine engine(tiny_llama(50, 12), options_for(Phase::decode), true);
  constexpr std::size_t of_a_position = items * 2 * 8;  // kv_heads x head_dim
  CHECK(engine.parameter("block1_attention.keys").size() == 12 * of_a_position);
  CHECK(engine.parameter("block2_attention.values").size() == 50 * of_a_position);
}

TEST_CASE("cpu decode: greedy generation repeats what a network has learned by heart") {
  const auto network = tiny_gpt(12);
  auto batch = test::token_batch(network, items);
  for (std::size_t i = 0; i < batch.tokens.size(); ++i) {  // the label is the next token
    const bool last = (i + 1) % 12 == 0;
    batch.tokens[i - i % 12] = static_cast<std::int32_t>(i / 12);  // tells the items apart
    batch.labels[i] = last ? -1 : batch.tokens[i + 1];
  }
  auto options = options_for(Phase::train);
  options.learning_rate = 0.01F;
  cpu::CpuEngine trained(network, options);
  for (int i = 0; i < 150; ++i) {
    trained.step(batch.view());
  }
  cpu::CpuEngine generator(network, options_for(Phase::decode), true);
  copy_parameters(trained, generator);
  auto tokens = column(batch, 12, 0);
  for (std::size_t t = 1; t < 12; ++t) {
    generator.step({.images = {}, .labels = {}, .tokens = tokens});
    const auto scores = generator.output("head");
    for (std::size_t n = 0; n < items; ++n) {
      const auto row = scores.begin() + static_cast<std::ptrdiff_t>(n * 29);
      tokens[n] = static_cast<std::int32_t>(std::max_element(row, row + 29) - row);
    }
    CHECK(tokens == column(batch, 12, t));
  }
}

TEST_CASE("cpu decode: what cannot generate is refused with its layer or its remedy") {
  const auto fails = [](const Network& network, int prompt, const char* text) {
    auto options = options_for(Phase::decode);
    options.prompt = prompt;
    CHECK_THROWS_WITH_AS(cpu::CpuEngine(network, options), doctest::Contains(text), EngineError);
  };
  fails(tiny_gpt(8), 8, "a prompt of 8 tokens leaves no room in a sequence of 8; use 0 to 7");
  fails(make_network("resnet18"), 0, "decode needs a language model");
  auto net = NetworkBuilder::of_tokens("both", "Both", 4, 9, 9);
  int x = net.embedding("tokens", net.input(), 9, 12);
  x = net.attention("looks_ahead", x, {.heads = 1, .kv_heads = 1, .head_dim = 4});
  fails(
      net.finish(net.linear("head", x, 9, false)), 0, "layer looks_ahead cannot run one position");
}
