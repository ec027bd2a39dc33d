// Recommenders on the CPU engine learn: clicks whose odds are known, by every kind of update.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/builder.h"
#include "support/gradient_check.h"

using namespace rightsize;

namespace {

constexpr std::int64_t counts = 3;
constexpr std::int64_t width = 8;
constexpr std::int32_t users = 20;

// As DLRM, or crossed, with layers as small as what there is to learn.
Network of_clicks(TableUpdate update, bool crossed) {
  auto net = NetworkBuilder::of_tokens("clicks", "Clicks", counts + 2, users, 2);
  const int log = net.log_counts("counts", net.input(), counts);
  const int bottom = net.relu("bottom_relu", net.fully_connected("bottom", log, width));
  const std::vector<EmbeddingTable> both{{users, 1}, {users, 1}};
  const int bags = net.embedding_bags("tables", net.input(), counts, both, width, update);
  int x = 0;
  if (crossed) {
    const int first = net.concat("vectors", {bottom, bags});
    const int low = net.linear("v", first, 6, false);
    const int high = net.linear("u", low, net.shape(first).c, true);
    x = net.add("cross", {net.multiply("product", first, high), first});
  } else {
    x = net.pairwise_dots("dots", bottom, bags);
  }
  x = net.relu("top_relu", net.fully_connected("top", x, 16));
  return net.finish_binary(net.fully_connected("score", x, 1));
}

// Clicks with a signal: how much a user is inclined to click and how good an item is, unseen, make
// the odds. What is best that can be had is the entropy given both.
struct Clicks {
  Clicks() {
    std::mt19937 hidden(3);
    std::normal_distribution<double> normal(0.0, 1.5);
    for (auto& pull : pulls) {
      pull = normal(hidden);
    }
  }

  void fill(const Network& network, int count, test::TinyBatch& batch) {
    const auto numbers = network.input.positions();
    std::uniform_int_distribution<std::int32_t> any(0, users - 1);
    std::uniform_real_distribution<double> chance(0.0, 1.0);
    batch.tokens.assign(static_cast<std::size_t>(count * numbers), 0);
    batch.labels.assign(static_cast<std::size_t>(count), 0);
    for (int n = 0; n < count; ++n) {
      auto* const sample = batch.tokens.data() + n * numbers;
      std::generate_n(sample, numbers, [&] { return any(random); });
      const double odds = pulls[static_cast<std::size_t>(sample[numbers - 2])] +
                          pulls[static_cast<std::size_t>(users + sample[numbers - 1])] - 1;
      const bool clicked = chance(random) < 1 / (1 + std::exp(-odds));
      batch.labels[static_cast<std::size_t>(n)] = clicked ? 1 : 0;
      clicks += clicked ? 1 : 0;
      ++samples;
    }
  }

  // Of the share that clicked: what one who knows that alone pays.
  [[nodiscard]] double base_entropy() const {
    const double p = clicks / samples;
    return -p * std::log(p) - (1 - p) * std::log(1 - p);
  }

  std::mt19937 random{11};
  std::array<double, 2 * users> pulls{};
  double clicks = 0;
  double samples = 0;
};

// The loss of the last of many steps, on samples that were not seen before, of the base rate's.
double learned(const Network& network, float rate) {
  EngineOptions options;
  options.batch = 256;
  options.threads = 2;
  options.learning_rate = rate;
  cpu::CpuEngine engine(network, options);
  Clicks clicks;
  test::TinyBatch batch;
  double last = 0;
  constexpr int steps = 400;
  constexpr int judged = 50;
  for (int i = 0; i < steps; ++i) {
    clicks.fill(network, options.batch, batch);
    last += engine.step(batch.view()).loss.value() * (i >= steps - judged ? 1.0 / judged : 0);
  }
  return last / clicks.base_entropy();
}

}  // namespace

TEST_CASE("cpu recommendation: clicks are foretold better than by how many there are") {
  for (const bool crossed : {false, true}) {
    CAPTURE(crossed);
    CHECK(learned(of_clicks(TableUpdate::sgd, crossed), 0.05F) < 0.85);
    CHECK(learned(of_clicks(TableUpdate::adagrad, crossed), 0.05F) < 0.85);
    CHECK(learned(of_clicks(TableUpdate::whole, crossed), 0.05F) < 0.85);
  }
  CHECK(learned(make_network("ncf:rows=20:dim=16"), 0.003F) < 0.85);
}
