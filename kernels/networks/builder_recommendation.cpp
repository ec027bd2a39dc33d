// The layers of recommenders: what reads counts and ids, and what vectors of them make.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "kernels/networks/builder.h"

namespace rightsize {

int NetworkBuilder::log_counts(const std::string& name, int from, std::int64_t counts) {
  if (from != input() || !network_.reads_tokens() || counts < 1 ||
      counts > shape(from).positions()) {
    refuse(name, fmt::format("{} counts of what is no input of as many ids", counts));
  }
  append(name, LayerKind::log_counts, {from}).out = {counts, 1, 1};
  return last();
}

int NetworkBuilder::embedding_bags(const std::string& name,
                                   int from,
                                   std::int64_t first,
                                   std::vector<EmbeddingTable> tables,
                                   std::int64_t width,
                                   TableUpdate update) {
  const auto ids = shape(from).positions();
  auto& layer = append(name, LayerKind::embedding_bags, {from});
  layer.position = first;
  layer.tables = std::move(tables);
  layer.table_update = update;
  layer.out = {width * static_cast<std::int64_t>(layer.tables.size()), 1, 1};
  const bool empty =
      layer.tables.empty() ||
      std::any_of(layer.tables.begin(), layer.tables.end(), [](const EmbeddingTable& table) {
        return table.rows < 1 || table.ids < 1;
      });
  if (from != input() || !network_.reads_tokens() || empty || width < 1 || first < 0 ||
      first + layer.looked_up() > ids) {
    refuse(name,
           fmt::format("{} tables looked up by {} ids from {} on of an input of {}",
                       layer.tables.size(),
                       layer.looked_up(),
                       first,
                       ids));
  }
  return last();
}

int NetworkBuilder::pairwise_dots(const std::string& name,
                                  int vector,
                                  int vectors,
                                  std::int64_t features) {
  const auto width = shape(vector).elements();
  const auto others = shape(vectors).elements();
  const auto count = others / width + 1;
  const auto made = width + count * (count - 1) / 2;
  if (others == 0 || others % width != 0 || (features != 0 && features < made)) {
    refuse(name,
           fmt::format("{} features of a vector of {} and others of {} in all, which make {}",
                       features,
                       width,
                       others,
                       made));
  }
  append(name, LayerKind::pairwise_dots, {vector, vectors}).out = {
      features > 0 ? features : made, 1, 1};
  return last();
}

Network NetworkBuilder::finish_binary(int from, Optimizer optimizer) {
  const auto& loss = append("loss", LayerKind::softmax_loss, {from});
  if (loss.out.elements() != 1 || network_.classes != 2) {
    refuse("loss",
           fmt::format("{} scores for {} classes, where one score tells two",
                       loss.out.elements(),
                       network_.classes));
  }
  network_.optimizer = optimizer;
  return std::move(network_);
}

}  // namespace rightsize
