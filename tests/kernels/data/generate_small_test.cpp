#include "kernels/data/generate_small.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <doctest/doctest.h>

#include "kernels/data/dataset.h"
#include "kernels/data/tokens.h"
#include "support/approx.h"
#include "temp_folder.h"

using namespace rightsize;
using namespace rightsize::test;

namespace {

SmallSummary made(const TempFolder& folder, SmallKind kind, std::size_t items, std::uint64_t seed) {
  return generate_small({kind, folder / "set", items, 0, 2'000, seed});
}

// The class whose mean picture is nearest, learned from the first half, tried on the second.
double nearest_mean_accuracy(const Dataset& dataset) {
  const auto half = dataset.size() / 2;
  std::map<int, std::vector<double>> sums;
  std::map<int, double> counts;
  Bytes storage;
  for (std::size_t i = 0; i < half; ++i) {
    const auto sample = dataset.read(i, storage);
    auto& sum = sums[sample.label];
    sum.resize(sample.bytes.size());
    for (std::size_t k = 0; k < sum.size(); ++k) {
      sum[k] += static_cast<double>(std::to_integer<int>(sample.bytes[k]));
    }
    ++counts[sample.label];
  }
  std::size_t hits = 0;
  for (std::size_t i = half; i < dataset.size(); ++i) {
    const auto sample = dataset.read(i, storage);
    std::pair<double, int> best{1e300, -1};
    for (const auto& [label, sum] : sums) {
      double distance = 0;
      for (std::size_t k = 0; k < sum.size(); ++k) {
        const double d =
            static_cast<double>(std::to_integer<int>(sample.bytes[k])) - sum[k] / counts[label];
        distance += d * d;
      }
      best = std::min(best, {distance, label});
    }
    hits += best.second == sample.label ? 1 : 0;
  }
  return static_cast<double>(hits) / static_cast<double>(dataset.size() - half);
}

}  // namespace

TEST_CASE("generate: MNIST-like and CIFAR-like sets open as the real ones and hold their classes") {
  for (const auto& [kind, format] : {std::pair{SmallKind::mnist, DataFormat::mnist},
                                     std::pair{SmallKind::cifar, DataFormat::cifar}}) {
    const TempFolder folder;
    const auto summary = made(folder, kind, 600, 1);
    const auto dataset = open_dataset(format, summary.path);
    CHECK(dataset->size() == 600);
    CHECK(dataset->stored_bytes() == summary.bytes);
    const double accuracy = nearest_mean_accuracy(*dataset);
    CAPTURE(accuracy);
    CHECK(accuracy > 0.5);   // there is something to learn: chance is 0.1
    CHECK(accuracy < 0.99);  // and it takes more than a mean
  }
}

TEST_CASE("generate: the same seed gives the same bytes, another one others") {
  for (const auto kind : {SmallKind::mnist, SmallKind::cifar, SmallKind::ptb, SmallKind::imdb}) {
    const TempFolder a;
    const TempFolder b;
    const auto first = made(a, kind, 200, 3);
    const auto second = made(b, kind, 200, 3);
    const auto file = [&](const SmallSummary& summary) {
      const auto name = kind == SmallKind::mnist   ? "/train-images-idx3-ubyte"
                        : kind == SmallKind::cifar ? "/data_batch_1.bin"
                                                   : "";
      return read_bytes(summary.path + name);
    };
    const auto bytes = file(first);
    CHECK(bytes == file(second));
    CHECK(bytes != file(made(b, kind, 200, 4)));
  }
}

TEST_CASE("generate: a smaller CIFAR set leaves no files of a larger one") {
  const TempFolder folder;
  CHECK(made(folder, SmallKind::cifar, 10'001, 1).items == 10'001);
  made(folder, SmallKind::cifar, 5, 1);
  CHECK(open_dataset(DataFormat::cifar, folder / "set")->size() == 5);
}

// Zipf: the frequency of rank r falls about as 1 / r. The slope of log frequency against log rank
// over the middle ranks is -1 in large corpora of English.
TEST_CASE("generate: the words of the PTB-like stream follow Zipf's law") {
  const TempFolder folder;
  const auto summary = made(folder, SmallKind::ptb, 200'000, 1);
  const auto stream = open_tokens(summary.path, {.vocabulary = 2'500, .sequence = 1});
  std::map<std::int32_t, double> counts;
  std::vector<std::int32_t> token(1);
  std::vector<std::int32_t> label(1);
  for (std::size_t i = 0; i < stream->size(); ++i) {
    stream->read(i, token, label);
    ++counts[token[0]];
  }
  const double slope = std::log(counts[300] / counts[10]) / std::log(301.0 / 11.0);
  CHECK(slope == test::approx(-1).epsilon(0.25));
}

// A reader who knows the last word only is at best as good as the source; one who counts the pairs
// of a long text comes near it.
TEST_CASE("generate: the source's perplexity is what counting pairs comes near") {
  const TempFolder folder;
  const auto summary = made(folder, SmallKind::ptb, 300'000, 1);
  REQUIRE(summary.source_perplexity.has_value());
  const double source = *summary.source_perplexity;
  CHECK(source > 5);
  CHECK(source < 500);
  const auto stream = open_tokens(summary.path, {.vocabulary = 2'500, .sequence = 1});
  std::map<std::pair<int, int>, double> pairs;
  std::map<int, double> firsts;
  std::vector<std::int32_t> token(1);
  std::vector<std::int32_t> label(1);
  double surprise = 0;
  double counted = 0;
  for (std::size_t i = 0; i < stream->size(); ++i) {
    stream->read(i, token, label);
    if (i > stream->size() / 2) {  // so far as it knew before
      const double seen = pairs[{token[0], label[0]}];
      const double p = (seen + 30.0 / 2'500) / (firsts[token[0]] + 30);  // additive smoothing
      surprise -= std::log(p);
      ++counted;
    }
    ++pairs[{token[0], label[0]}];
    ++firsts[token[0]];
  }
  const double perplexity = std::exp(surprise / counted);
  CAPTURE(source);
  CAPTURE(perplexity);
  CHECK(perplexity > 0.9 * source);
  CHECK(perplexity < 2.5 * source);
}
