// The GPU engine against the CPU engine on networks of sequences: each kind of layer in a network
// that needs it, in every precision. Compiled twice: for a GPU, and for the plugin on the host.
#include <doctest/doctest.h>

#include "device.h"
#include "kernels/networks/llama.h"
#include "kernels/networks/transformer_block.h"
#include "reference.h"
#include "support/approx.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

constexpr int vocabulary = 29;

NetworkBuilder of_tokens(std::int64_t sequence, int classes = vocabulary) {
  return NetworkBuilder::of_tokens("tiny", "Tiny", sequence, vocabulary, classes);
}

// GPT-2's layers; plain SGD, so that it can be trained by itself.
Network tiny_gpt(std::int64_t sequence) {
  auto net = of_tokens(sequence);
  const int tokens = net.embedding("tokens", net.input(), vocabulary, 24);
  int x = net.position_embedding("positions", tokens, 16);
  const AttentionShape attention{.heads = 3, .kv_heads = 3, .head_dim = 8, .causal = true};
  for (const char* name : {"block1", "block2"}) {
    x = pre_norm_block(
        net, name, x, attention, {.width = 40, .activation = Activation::gelu_tanh}, 1e-5F);
  }
  x = net.layer_norm("norm", x);
  return net.finish(net.tied_linear("head", x, tokens));
}

// BERT's: segments, dropout, norms behind the sums, and a bias for the tied matrix.
Network tiny_bert() {
  auto net = of_tokens(7);
  const int words = net.embedding("words", net.input(), vocabulary, 24);
  int x = net.position_embedding("positions", words, 9, 2);
  x = net.dropout("drop", net.layer_norm("embedding_norm", x), 0.1F);
  const int y = self_attention(net, "block", x, {.heads = 2, .kv_heads = 2, .head_dim = 16});
  x = net.layer_norm("norm1", net.add("sum1", {y, x}));
  const int z = feed_forward(net, "block", x, {.width = 48, .activation = Activation::gelu});
  x = net.layer_norm("norm2", net.add("sum2", {net.dropout("drop2", z, 0.1F), x}));
  return net.finish(net.tied_linear("head", x, words, true));
}

Network tiny_llama(int sequence, bool tied) {
  LlamaConfig config;
  config.name = "tiny";
  config.layers = 2;
  config.width = 32;
  config.heads = 4;
  config.kv_heads = 2;
  config.head_dim = 8;
  config.feed_forward = 48;
  config.vocabulary = vocabulary;
  config.context = 64;
  config.tied = tied;
  return make_llama(config, sequence);
}

// ViT's: an image as a sequence, with a class token in front.
Network tiny_vit() {
  NetworkBuilder net("tiny", "Tiny", {8, 3, 4}, 5);
  int x = net.class_token("class",
                          net.linear("patches", net.to_sequence("all", net.input()), 16, true));
  x = net.position_embedding("positions", x, net.shape(x).positions());
  x = pre_norm_block(net,
                     "block",
                     x,
                     {.heads = 2, .kv_heads = 2, .head_dim = 8},
                     {.width = 24, .activation = Activation::gelu},
                     1e-6F);
  return net.finish(net.fully_connected("head", net.take_position("out", x, 0), 5));
}

// The Penn Treebank's: two LSTMs that carry their state on, dropout between them.
Network tiny_ptb() {
  auto net = of_tokens(5);
  int x = net.dropout("drop", net.embedding("embedding", net.input(), vocabulary, 12), 0.2F);
  x = net.dropout("drop1", net.lstm("lstm1", x, 12, false, true), 0.2F);
  x = net.lstm("lstm2", x, 9, false, true);
  return net.finish(net.linear("softmax", x, vocabulary, true));
}

Network bidirectional() {
  auto net = of_tokens(6, 3);
  const int x = net.embedding("embedding", net.input(), vocabulary, 10);
  const int y = net.final_state("state", net.lstm("lstm", x, 7, true));
  return net.finish(net.fully_connected("dense", y, 3));
}

Network characters() {
  auto net = of_tokens(6);
  const int x = net.lstm("lstm", net.one_hot("characters", net.input(), vocabulary), 8);
  return net.finish(net.fully_connected("dense", net.take_position("last", x, -1), vocabulary));
}

Network fast_text() {
  auto net = of_tokens(9, 2);
  const int x = net.embedding("embedding", net.input(), vocabulary, 13);
  return net.finish(net.fully_connected("dense", net.global_average_pool("mean", x), 2));
}

// Gradients in every precision, and what a request would be answered.
void compare_phases(const Network& network) {
  for (const auto precision :
       {Precision::fp32, Precision::tf32, Precision::fp16, Precision::bf16}) {
    compare(network, 3, precision, tolerance_of(precision), Phase::forward_backward);
  }
  compare(network, 3, Precision::fp32, {}, Phase::forward);
  compare(network, 1, Precision::fp32, {}, Phase::infer);
  compare(network, 2, Precision::bf16, tolerance_of(Precision::bf16), Phase::infer);
}

EngineOptions options_for(Phase phase, int items, int prompt = 0) {
  EngineOptions options;
  options.phase = phase;
  options.batch = items;
  options.prompt = prompt;
  return options;
}

// Position by position, around the end of the sequence and back to the prompt.
void compare_decoding(const Network& network, int items, Precision precision) {
  CAPTURE(to_string(precision));
  Pair pair(network, options_for(Phase::decode, items, 3), precision);
  CHECK(pair.gpu.parameter_names() == pair.cpu.parameter_names());
  for (int step = 0; step < 7; ++step) {
    CAPTURE(step);
    std::vector<std::int32_t> tokens;
    for (int n = 0; n < items; ++n) {
      tokens.push_back((7 * step + 3 * n) % vocabulary);
    }
    const Batch batch{.images = {}, .labels = {}, .tokens = tokens};
    pair.cpu.step(batch);
    CHECK_FALSE(pair.gpu.step(batch).loss.has_value());
    const auto expected = pair.cpu.output("head");
    CHECK(distance(pair.gpu.output("head"), expected) <=
          tolerance_of(precision).output * norm(expected));
  }
}

}  // namespace

// ConvNeXt's block, then ShuffleNet's: of one window a channel, as on the host nothing of cuDNN
// runs.
TEST_CASE("gpu reference: an image that is a sequence in between, and channels dealt and taken") {
  if (lacks_gpu()) {
    return;
  }
  auto net = tiny();
  const auto in = net.shape(net.input());
  const Window window{.kernel = 3, .pad = 1, .groups = in.c};
  int x = net.convolution("window", net.input(), in.c, window, true);
  x = net.layer_norm("norm", net.to_sequence("sequence", x));
  x = net.activation("gelu", net.linear("wide", x, 32, true), Activation::gelu);
  x = net.to_image("image", net.linear("narrow", x, 12, true), in.h, in.w);
  x = net.add("sum", {net.shuffle_channels("dealt", x, 3), x});
  x = net.activation("hard", net.take_channels("taken", x, 2, 8), Activation::hard_swish);
  compare_all_precisions(finish(net, x));
}

TEST_CASE("gpu sequences: causal attention, tied matrices, GELU's approximation") {
  if (lacks_gpu()) {
    return;
  }
  compare_phases(tiny_gpt(11));
}

TEST_CASE("gpu sequences: attention to all positions, segments, norms behind the sums") {
  if (lacks_gpu()) {
    return;
  }
  compare_phases(tiny_bert());
}

TEST_CASE("gpu sequences: RMS norms, rotary positions, shared keys, SwiGLU") {
  if (lacks_gpu()) {
    return;
  }
  compare_phases(tiny_llama(11, false));
  compare_phases(tiny_llama(6, true));
}

TEST_CASE("gpu sequences: an image as a sequence with a class token") {
  if (lacks_gpu()) {
    return;
  }
  compare_phases(tiny_vit());
}

TEST_CASE("gpu sequences: LSTMs, one behind the other, both ways, on ones among zeros") {
  if (lacks_gpu()) {
    return;
  }
  compare_phases(tiny_ptb());
  compare_phases(bidirectional());
  compare_phases(characters());
}

TEST_CASE("gpu sequences: the mean of embedded words") {
  if (lacks_gpu()) {
    return;
  }
  compare_phases(fast_text());
}

TEST_CASE("gpu sequences: positions without a label count for nothing") {
  if (lacks_gpu()) {
    return;
  }
  const auto network = tiny_gpt(11);
  Pair pair(network, options_for(Phase::forward_backward, 3), Precision::fp32);
  auto batch = noise_batch(network, 3);
  for (std::size_t i = 0; i < batch.labels.size(); i += 3) {
    batch.labels[i] = -100;
  }
  const auto expected = pair.cpu.evaluate(batch.view());
  const auto found = pair.gpu.evaluate(batch.view());
  CHECK(found.loss.value() == test::approx(expected.loss.value()).epsilon(1e-4));
  CHECK(found.correct == expected.correct);
  compare_gradients(pair, 1e-3);
}

TEST_CASE("gpu sequences: the loss of steps, with a state that is carried from one to the next") {
  if (lacks_gpu()) {
    return;
  }
  for (const auto& network : {tiny_ptb(), tiny_gpt(11), tiny_llama(6, true)}) {
    auto options = options_for(Phase::train, 3);
    options.learning_rate = network.optimizer == Optimizer::adam ? 0.003F : 0.1F;
    Pair pair(network, options, Precision::fp32);
    const auto batch = noise_batch(network, 3);
    for (int step = 0; step < 6; ++step) {
      const auto expected = pair.cpu.step(batch.view());
      CHECK(pair.gpu.step(batch.view()).loss.value() ==
            test::approx(expected.loss.value()).epsilon(1e-3));
    }
  }
}

TEST_CASE("gpu sequences: evaluations between steps leave the state that is carried alone") {
  if (lacks_gpu()) {
    return;
  }
  const auto network = tiny_ptb();
  auto options = options_for(Phase::train, 3);
  options.learning_rate = 0.1F;
  Pair watched(network, options, Precision::fp32);
  Pair alone(network, options, Precision::fp32);
  for (std::uint32_t step = 0; step < 4; ++step) {
    const auto batch = noise_batch(network, 3, step);
    static_cast<void>(watched.gpu.evaluate(noise_batch(network, 3, 50 + step).view()));
    CHECK(watched.gpu.step(batch.view()).loss.value() ==
          test::approx(alone.gpu.step(batch.view()).loss.value()).epsilon(1e-6));
  }
}

TEST_CASE("gpu sequences: an engine says which attention it has") {
  if (lacks_gpu()) {
    return;
  }
  const Pair language(tiny_gpt(11), options_for(Phase::infer, 2), Precision::fp32);
  CHECK(language.gpu.software().at("attention") == "fused (own)");  // cuDNN's is of 16 bits
  const Pair words(tiny_ptb(), options_for(Phase::infer, 2), Precision::fp32);
  CHECK(words.gpu.software().count("attention") == 0);
}

TEST_CASE("gpu sequences: token by token against a cache, around the end of the sequence") {
  if (lacks_gpu()) {
    return;
  }
  for (const int items : {2, 6}) {  // by matrix-vector products, and by cuBLASLt's
    for (const auto precision : {Precision::fp32, Precision::fp16, Precision::bf16}) {
      compare_decoding(tiny_gpt(8), items, precision);
      compare_decoding(tiny_llama(8, true), items, precision);
    }
  }
}

TEST_CASE("gpu sequences: what cannot generate, and ids beyond the vocabulary, are refused") {
  if (lacks_gpu()) {
    return;
  }
  CHECK_THROWS_WITH_AS(Pair(tiny_gpt(8), options_for(Phase::decode, 1, 8), Precision::fp32),
                       doctest::Contains("leaves no room in a sequence of 8"),
                       EngineError);
  CHECK_THROWS_WITH_AS(gpu::GpuEngine(tiny_bert(), options_for(Phase::decode, 1), engine_options),
                       doctest::Contains("cannot run one position at a time"),
                       EngineError);
  gpu::GpuEngine engine(tiny_gpt(8), options_for(Phase::infer, 1), engine_options);
  std::vector<std::int32_t> tokens(8, 0);
  const std::vector<std::int32_t> labels(8, -1);
  tokens[5] = vocabulary;
  CHECK_THROWS_WITH_AS(engine.step({.images = {}, .labels = labels, .tokens = tokens}),
                       doctest::Contains("token 29 is not one of 29 ids"),
                       EngineError);
  tokens.pop_back();
  CHECK_THROWS_WITH_AS(engine.step({.images = {}, .labels = labels, .tokens = tokens}),
                       doctest::Contains("got 7 tokens and 8 labels"),
                       EngineError);
}
