// Text networks learn what is in generated text: a language model comes near the perplexity of the
// source, classifiers tell documents apart. Seconds, hence labelled slow.
#include <cmath>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/data/generate_small.h"
#include "kernels/networks/builder.h"
#include "profiler/measure/token_batches.h"
#include "support/approx.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

constexpr int words = 300;  // more than 256: a vocabulary of bytes would read letters

Workload reading(const std::string& path, int batch, bool shuffle) {
  Workload workload;
  workload.batch = batch;
  workload.data = DataFormat::tokens;
  workload.data_path = path;
  workload.shuffle = shuffle;
  return workload;
}

cpu::CpuEngine engine_for(const Network& network, int batch, float rate) {
  EngineOptions options;
  options.batch = batch;
  options.learning_rate = rate;
  return {network, options};
}

Network small_language_model() {
  auto net = NetworkBuilder::of_tokens("small", "Small", 20, words + 1, words + 1);
  int x = net.embedding("embedding", net.input(), words + 1, 48);
  x = net.lstm("lstm", x, 96, false, true);
  return net.finish(net.linear("softmax", x, words + 1, true), Optimizer::adam);
}

// Share of right answers over the last quarter of `steps`, on documents not seen before.
double accuracy_of(const char* name, int steps, float rate) {
  constexpr int batch = 32;
  const TemporaryFolder folder;
  const auto made = generate_small(
      {SmallKind::imdb, folder / "imdb", static_cast<std::size_t>(batch * steps), 2, 1'000, 1});
  const auto network = make_network(name, 100);
  TokenBatches batches(network, reading(made.path, batch, false), 1);
  auto engine = engine_for(network, batch, rate);
  int correct = 0;
  int seen = 0;
  for (int i = 0; i < steps; ++i) {
    const auto result = engine.step(batches.next().batch);
    if (i >= steps * 3 / 4) {
      correct += result.correct.value();
      seen += batch;
    }
  }
  return static_cast<double>(correct) / seen;
}

}  // namespace

// Every word is new to the network: one pass over the stream. A line's end after every twenty
// words is one more token, which only a reader who counts foresees.
TEST_CASE("language: an LSTM comes near the perplexity of a PTB-like source in one pass") {
  constexpr int batch = 20;
  const TemporaryFolder folder;
  const auto made = generate_small({SmallKind::ptb, folder / "ptb", 400'000, 0, words, 1});
  const auto network = small_language_model();
  TokenBatches batches(network, reading(made.path, batch, false), 1);
  auto engine = engine_for(network, batch, 0.004F);
  double sum = 0;
  double first = 0;
  constexpr int steps = 1'000;
  constexpr int last_steps = 100;
  for (int i = 0; i < steps; ++i) {
    const double loss = engine.step(batches.next().batch).loss.value();
    first = i == 0 ? loss : first;
    sum += i >= steps - last_steps ? loss : 0;
  }
  const double perplexity = std::exp(sum / last_steps);
  CAPTURE(perplexity);
  CAPTURE(made.source_perplexity.value());
  CHECK(std::exp(first) == test::approx(words + 1).epsilon(0.15));
  CHECK(perplexity < 1.35 * made.source_perplexity.value());
  CHECK(perplexity > 0.8 * made.source_perplexity.value());  // nobody can do better
}

TEST_CASE("language: fastText tells IMDb-like documents apart") {
  CHECK(accuracy_of("imdb-fasttext", 150, 0.01F) > 0.95);
}

TEST_CASE("language: the bidirectional LSTM tells IMDb-like documents apart") {
  CHECK(accuracy_of("imdb-lstm", 80, 0.005F) > 0.9);
}
