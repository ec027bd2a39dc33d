// Several ranks for real: exchanges against the plain mean, and training against one rank.
#include <cmath>
#include <numeric>
#include <thread>

#include <doctest/doctest.h>

#include "kernels/networks/builder.h"
#include "kernels/parallel/compressed_exchange.h"
#include "kernels/parallel/engine.h"
#include "kernels/parallel/exchange.h"
#include "kernels/parallel/rank_threads.h"
#include "support/approx.h"
#include "support/tiny_batch.h"

using namespace rightsize;
using rightsize::test::noise;

namespace {

using Buffers = std::vector<std::vector<float>>;

Buffers made(std::size_t rank) {
  const auto seed = static_cast<std::uint32_t>(rank);
  return {noise(1000, seed), noise(1, seed + 10), noise(37, seed + 20), noise(16, seed + 30)};
}

GradientBuffers views(Buffers& buffers) {
  return {buffers.begin(), buffers.end()};
}

// What every rank holds after one exchange.
std::vector<Buffers> exchanged(GradientExchange& exchange, std::vector<Buffers> ranks) {
  RankThreads threads(ranks.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    exchange.reserve(rank, views(ranks[rank]));
  }
  threads.run([&](std::size_t rank) {
    const auto mine = views(ranks[rank]);
    exchange.average(rank, mine);
  });
  return ranks;
}

std::vector<Buffers> all_made(std::size_t ranks) {
  std::vector<Buffers> all;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    all.push_back(made(rank));
  }
  return all;
}

// No normalisation and no dropout: then the mean over ranks is the gradient of the summed batch.
Network plain_network() {
  NetworkBuilder net("plain", "Plain", {3, 12, 12}, 5);
  int x =
      net.relu("relu1", net.convolution("conv1", net.input(), 8, {.kernel = 3, .pad = 1}, true));
  x = net.max_pool("pool", x, {.kernel = 2, .stride = 2});
  x = net.relu("relu2", net.fully_connected("hidden", x, 24));
  return net.finish(net.fully_connected("fc", x, 5));
}

EngineOptions options_for(int ranks, int batch) {
  EngineOptions options;
  options.ranks = ranks;
  options.batch = batch;
  options.threads = 2;
  options.learning_rate = 0.05F;
  return options;
}

std::vector<double> losses(Engine& engine, const test::TinyBatch& batch, int steps) {
  std::vector<double> all;
  for (int i = 0; i < steps; ++i) {
    all.push_back(engine.step(batch.view()).loss.value());
  }
  return all;
}

}  // namespace

TEST_CASE("parallel: shares cover every element once, in whole cache lines") {
  for (const std::size_t count : {0U, 1U, 15U, 16U, 17U, 1000U}) {
    for (const std::size_t ranks : {1U, 2U, 3U, 8U}) {
      std::size_t at = 0;
      for (std::size_t rank = 0; rank < ranks; ++rank) {
        const auto share = share_of(count, rank, ranks);
        CHECK(share.begin == at);
        CHECK((share.begin % 16 == 0 || share.begin == count));
        at = share.end;
      }
      CHECK(at == count);
    }
  }
}

TEST_CASE("parallel: local, device and ring leave the same mean on every rank") {
  for (const std::size_t ranks : {1U, 2U, 3U, 5U}) {
    const auto before = all_made(ranks);
    for (const auto kind : {Exchange::local, Exchange::device, Exchange::nccl}) {
      CAPTURE(ranks);
      CAPTURE(to_string(kind));
      const auto exchange = make_exchange(kind, Compression::none, ranks);
      const auto after = exchanged(*exchange, before);
      for (std::size_t b = 0; b < before[0].size(); ++b) {
        for (std::size_t i = 0; i < before[0][b].size(); ++i) {
          double mean = 0;
          for (const auto& rank : before) {
            mean += static_cast<double>(rank[b][i]) / static_cast<double>(ranks);
          }
          REQUIRE(after[0][b][i] == test::approx(mean).epsilon(1e-5).scale(1));
          for (const auto& rank : after) {
            REQUIRE(rank[b][i] == after[0][b][i]);  // to the bit: copies must not drift apart
          }
        }
      }
    }
  }
}

TEST_CASE("parallel: what compression does not send it keeps for the next time") {
  constexpr std::size_t count = 45;
  std::vector<float> residual(count);
  std::vector<float> sent(count);
  std::vector<double> given(count);
  std::vector<std::uint32_t> codes((count + codes_per_word - 1) / codes_per_word);
  for (std::uint32_t step = 0; step < 50; ++step) {
    const auto gradient = noise(count, step, 0.3F);
    compress(gradient, residual, codes);
    add_decompressed(codes, 0, sent);
    for (std::size_t i = 0; i < count; ++i) {
      given[i] += static_cast<double>(gradient[i]);
      CHECK(static_cast<double>(sent[i]) + static_cast<double>(residual[i]) ==
            test::approx(given[i]).epsilon(1e-4).scale(1));
    }
  }
  // A share in the middle is decoded from its own place.
  std::vector<float> whole(count);
  std::vector<float> tail(count - 32);
  add_decompressed(codes, 0, whole);
  add_decompressed(codes, 32, tail);
  CHECK(std::equal(tail.begin(), tail.end(), whole.begin() + 32));
}

TEST_CASE("parallel: two bits go with exchange device alone, and arrive alike on every rank") {
  const auto exchange = make_exchange(Exchange::device, Compression::two_bit, 3);
  const auto after = exchanged(*exchange, all_made(3));
  CHECK(after[0] == after[1]);
  CHECK(after[0] == after[2]);
  std::vector<float> sum(1000);
  for (std::size_t rank = 0; rank < 3; ++rank) {
    const auto gradient = made(rank)[0];
    std::vector<float> residual(gradient.size());
    std::vector<std::uint32_t> codes((gradient.size() + codes_per_word - 1) / codes_per_word);
    compress(gradient, residual, codes);
    add_decompressed(codes, 0, sum);
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    CHECK(after[0][0][i] == test::approx(sum[i] / 3));
  }
  CHECK_THROWS_WITH_AS(static_cast<void>(make_exchange(Exchange::nccl, Compression::two_bit, 2)),
                       doctest::Contains("goes with exchange device"),
                       EngineError);
}

TEST_CASE("parallel: two and three ranks train as one rank does on all their items") {
  const auto network = plain_network();
  const auto batch = test::learnable_batch(network, 12);
  const auto one = make_engine(EngineKind::cpu, network, options_for(1, 12));
  const auto expected = losses(*one, batch, 20);
  CHECK(expected.back() < 0.5 * expected.front());
  for (const int ranks : {2, 3}) {
    for (const auto exchange : {Exchange::local, Exchange::device, Exchange::nccl}) {
      CAPTURE(ranks);
      CAPTURE(to_string(exchange));
      auto options = options_for(ranks, 12 / ranks);
      options.exchange = exchange;
      const auto engine = make_engine(EngineKind::cpu, network, options);
      const auto actual = losses(*engine, batch, 20);
      for (std::size_t i = 0; i < actual.size(); ++i) {
        CHECK(actual[i] == test::approx(expected[i]).epsilon(1e-3));
      }
    }
  }
}

TEST_CASE("parallel: training with two-bit gradients still learns") {
  const auto network = plain_network();
  const auto batch = test::learnable_batch(network, 12);
  auto options = options_for(2, 6);
  options.exchange = Exchange::device;
  options.compression = Compression::two_bit;
  const auto engine = make_engine(EngineKind::cpu, network, options);
  const auto curve = losses(*engine, batch, 60);
  CHECK(curve.back() < 0.5 * curve.front());
}

TEST_CASE("parallel: a rank that fails ends the step for all, with its own message") {
  const auto network = plain_network();
  auto batch = test::noise_batch(network, 4);
  const auto engine = make_engine(EngineKind::cpu, network, options_for(2, 2));
  batch.labels[3] = 99;  // the second rank's
  CHECK_THROWS_WITH_AS(engine->step(batch.view()),
                       doctest::Contains("label 99 is not one of 5 classes"),
                       EngineError);
}

TEST_CASE("parallel: several ranks of another engine are refused") {
  auto options = options_for(2, 2);
  options.replay_items_per_s = 100;
  CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(EngineKind::replay, plain_network(), options)),
                       doctest::Contains("several ranks run on engines cpu and gpu only"),
                       EngineError);
}
