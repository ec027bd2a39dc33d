// DLRM (Naumov et al., "Deep Learning Recommendation Model for Personalization and Recommendation
// Systems", 2019) as NVIDIA's DeepLearningExamples and MLPerf train it: counts go through a bottom
// part of three layers, the dot products of what comes out and of all rows through a top part of
// five. A zero is put behind the 479 features to make them 480, as NVIDIA does for its kernels.
// DLRM-DCNv2 (MLPerf training v3.0; Wang et al., "DCN V2", WWW 2021, low rank) crosses the vectors
// side by side instead: x_(l+1) = x_0 * (U (V x_l) + b) + x_l.
#include <array>

#include <fmt/format.h>

#include "kernels/networks/recommendation/families.h"

namespace rightsize::recommendation {
namespace {

constexpr int classes = 2;  // not clicked, clicked

// The bottom part ends in as many features as a row.
int bottom(NetworkBuilder& net, std::int64_t width) {
  const int counts = net.log_counts("counts", net.input(), criteo_counts);
  return layers_of(net, "bottom", counts, std::array<std::int64_t, 3>{512, 256, width});
}

Network finish(NetworkBuilder& net, int from) {
  const int x = layers_of(net, "top", from, std::array<std::int64_t, 4>{1024, 1024, 512, 256});
  return net.finish_binary(net.fully_connected("score", x, 1));
}

int crossed(NetworkBuilder& net, int from) {
  constexpr std::int64_t rank = 512;
  const auto features = net.shape(from).c;
  int x = from;
  for (int layer = 1; layer <= 3; ++layer) {
    const auto name = fmt::format("cross{}", layer);
    const int low = net.linear(name + "_v", x, rank, false);
    const int high = net.linear(name + "_u", low, features, true);
    x = net.add(name, {net.multiply(name + "_product", from, high), x});
  }
  return x;
}

}  // namespace

NetworkBuilder reading_samples(const RecommendationAsked& asked, std::int64_t counts) {
  std::int64_t ids = 0;
  std::int64_t most_rows = 0;
  for (const auto& table : asked.tables) {
    ids += table.ids;
    most_rows = std::max(most_rows, table.rows);
  }
  return NetworkBuilder::of_tokens(asked.name, asked.title, counts + ids, most_rows, classes);
}

int layers_of(NetworkBuilder& net,
              const std::string& name,
              int from,
              std::span<const std::int64_t> features) {
  int x = from;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const auto layer = fmt::format("{}{}", name, i + 1);
    x = net.relu(layer + "_relu", net.fully_connected(layer, x, features[i]));
  }
  return x;
}

Network make_dlrm(const RecommendationAsked& asked) {
  auto net = reading_samples(asked, criteo_counts);
  const int dense = bottom(net, asked.width);
  const int rows = net.embedding_bags(
      "tables", net.input(), criteo_counts, asked.tables, asked.width, TableUpdate::sgd);
  constexpr std::int64_t multiple = 8;
  const auto vectors = static_cast<std::int64_t>(asked.tables.size()) + 1;
  const auto made = asked.width + vectors * (vectors - 1) / 2;
  const auto padded = (made + multiple - 1) / multiple * multiple;
  return finish(net, net.pairwise_dots("dots", dense, rows, padded));
}

// MLPerf's reference has Adagrad for tables and the rest; here the rest has SGD with momentum, of
// as much state.
Network make_dlrm_dcnv2(const RecommendationAsked& asked) {
  auto net = reading_samples(asked, criteo_counts);
  const int dense = bottom(net, asked.width);
  const int rows = net.embedding_bags(
      "tables", net.input(), criteo_counts, asked.tables, asked.width, TableUpdate::adagrad);
  return finish(net, crossed(net, net.concat("vectors", {dense, rows})));
}

}  // namespace rightsize::recommendation
