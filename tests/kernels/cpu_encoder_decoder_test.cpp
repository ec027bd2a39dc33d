// Encoders and decoders on the CPU engine: what is written token by token is what was trained at
// once, and training learns.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/encoder_decoder/bart.h"
#include "kernels/networks/encoder_decoder/t5.h"
#include "kernels/networks/encoder_decoder/whisper.h"
#include "support/approx.h"
#include "support/tiny_batch.h"

using namespace rightsize;

namespace {

constexpr int items = 2;
constexpr int tokens = 6;  // of the text that is trained on
constexpr WhisperShape small_whisper{32, 2, 1, 2, 8, 40};
constexpr T5Shape small_t5{32, 2, 16, 48, 2, 2, true, false, t5_vocabulary};
constexpr T5Shape first_t5{32, 2, 16, 48, 2, 2, false, true, t5_vocabulary};
constexpr BartShape small_bart{32, 2, 48, 2, 2, 40, 20, Activation::silu, false, false, true};
constexpr BartShape small_nllb{32, 2, 48, 2, 2, 40, 20, Activation::gelu, true, true, false};

EncoderDecoderInfo info_of(bool trained) {
  return {"small", "Small", "", nullptr, {}, 0, whisper_most_tokens, 0, trained};
}

Network whisper(bool trained, int count) {
  return make_whisper(small_whisper, info_of(trained), {.tokens = count});
}

Network t5(bool trained, int count, const T5Shape& shape = small_t5) {
  return make_t5(shape, info_of(trained), {.tokens = count}, 7);
}

Network bart(bool trained, int count, const BartShape& shape) {
  return make_bart(shape, info_of(trained), {.tokens = count}, 7);
}

test::TinyBatch batch_for(const Network& network) {
  test::TinyBatch batch;
  if (network.reads_tokens()) {
    batch = test::token_batch(network, items);
  } else {
    batch.images = test::noise(static_cast<std::size_t>(items * network.input.elements()), 5);
    for (std::int64_t i = 0; i < items * network.labels_per_item(); ++i) {
      batch.labels.push_back(static_cast<std::int32_t>(i % network.classes));
    }
  }
  return batch;
}

EngineOptions options_for(Phase phase) {
  EngineOptions options;
  options.batch = items;
  options.phase = phase;
  options.threads = 1;
  options.learning_rate = 1e-3F;
  return options;
}

// `values` is items x channels x positions: one of its positions.
std::vector<float> at_position(const std::vector<float>& values,
                               std::size_t channels,
                               std::size_t positions,
                               std::size_t position) {
  std::vector<float> picked;
  for (std::size_t row = 0; row < items * channels; ++row) {
    picked.push_back(values[row * positions + position]);
  }
  return picked;
}

// Keys and values of the first `seen` positions, of queries, keys and values of all.
std::vector<float> cache_of(const std::vector<float>& qkv, std::size_t width, std::size_t seen) {
  std::vector<float> cache;
  for (std::size_t item = 0; item < items; ++item) {
    for (std::size_t channel = width; channel < 3 * width; ++channel) {
      const auto row = (item * 3 * width + channel) * tokens;
      for (std::size_t position = 0; position < seen; ++position) {
        cache.push_back(qkv[row + position]);
      }
    }
  }
  return cache;
}

bool is_of_attention(const std::string& name) {
  return name.starts_with("decoder") && name.find("_qkv.") != std::string::npos;
}

// Queries, keys and values are one matrix where it is trained and two where it writes.
void copy_parameters(const cpu::CpuEngine& from, cpu::CpuEngine& to) {
  for (const auto& name : from.parameter_names()) {
    if (name.ends_with(".values")) {
      continue;
    }
    const auto values = from.parameter(name);
    if (!is_of_attention(name)) {
      to.set_parameter(name, values);
      continue;
    }
    const auto third = values.size() / 3;
    const auto part = name.substr(name.find('.'));
    const auto block = name.substr(0, name.find("_qkv"));
    to.set_parameter(block + "_q" + part, std::span(values).first(third));
    to.set_parameter(block + "_kv" + part, std::span(values).subspan(third));
  }
}

double highest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  }
  return most;
}

// A pass of what writes, at the position whose keys and values are the last in its cache.
void check_a_pass(const Network& trained,
                  const Network& writes,
                  int depth,
                  const std::string& positions) {
  constexpr std::size_t seen = 4;
  const auto batch = batch_for(trained);
  cpu::CpuEngine teacher(trained, options_for(Phase::forward), true);
  std::vector<float> text;
  for (int i = 0; i < items * tokens; ++i) {
    text.push_back(static_cast<float>((7 * i) % 40));
  }
  teacher.set_parameter("text.values", text);
  teacher.evaluate(batch.view());
  cpu::CpuEngine engine(writes, options_for(Phase::infer), true);
  copy_parameters(teacher, engine);
  const auto width = static_cast<std::size_t>(32);
  for (int block = 1; block <= depth; ++block) {
    const auto name = "decoder" + std::to_string(block);
    engine.set_parameter(name + "_cached.values",
                         cache_of(teacher.output(name + "_qkv"), width, seen));
  }
  engine.set_parameter("last_token.values", at_position(text, 1, tokens, seen - 1));
  if (!positions.empty()) {  // the one that is written has the first row
    auto table = teacher.parameter(positions);
    std::copy_n(
        table.begin() + static_cast<std::ptrdiff_t>((seen - 1) * width), width, table.begin());
    engine.set_parameter(positions, table);
  }
  auto one = batch;
  one.labels.resize(items);
  engine.evaluate(one.view());
  const auto scores = teacher.output("head");
  const auto channels = scores.size() / (items * tokens);
  CHECK(highest_difference(engine.output("head"), at_position(scores, channels, tokens, seen - 1)) <
        1e-4);
}

double loss_after(const Network& network, int steps) {
  cpu::CpuEngine engine(network, options_for(Phase::train));
  const auto batch = batch_for(network);
  double loss = 0;
  for (int i = 0; i < steps; ++i) {
    loss = engine.step(batch.view()).loss.value();
  }
  return loss;
}

}  // namespace

// mean_seen_of 6 tokens is 4.
TEST_CASE("cpu encoder-decoder: Whisper writes as it is trained") {
  check_a_pass(whisper(true, tokens), whisper(false, tokens), 2, "positions.weights");
}

TEST_CASE("cpu encoder-decoder: T5 writes as it is trained") {
  for (const auto& shape : {small_t5, first_t5}) {
    check_a_pass(t5(true, tokens, shape), t5(false, tokens, shape), 2, "");
  }
}

TEST_CASE("cpu encoder-decoder: BART and NLLB write as they are trained") {
  for (const auto& shape : {small_bart, small_nllb}) {
    check_a_pass(
        bart(true, tokens, shape), bart(false, tokens, shape), 2, "decoder_positions.weights");
  }
}

TEST_CASE("cpu encoder-decoder: training learns a text by heart") {
  for (const auto& network : {whisper(true, tokens),
                              t5(true, tokens),
                              t5(true, tokens, first_t5),
                              bart(true, tokens, small_bart),
                              bart(true, tokens, small_nllb)}) {
    const double first = loss_after(network, 1);
    CHECK(first == test::approx(std::log(network.classes)).epsilon(0.2));
    CHECK(loss_after(network, 60) < 0.7 * first);
  }
}

TEST_CASE("cpu encoder-decoder: each token is a round of the same program") {
  const auto network = whisper(false, 9);
  cpu::CpuEngine engine(network, options_for(Phase::infer));
  const auto times = engine.timed_step(batch_for(network).view());
  const auto runs = [&](const std::string& part) {
    return std::count_if(
        times.begin(), times.end(), [&](const auto& time) { return time.name == part; });
  };
  CHECK(runs("head.forward") == 10);  // the first is of what a text begins with
  CHECK(runs("decoder1_cross.forward") == 10);
  CHECK(runs("decoder1_read.forward") == 1);
  CHECK(runs("encoder1_up.forward") == 1);
}
