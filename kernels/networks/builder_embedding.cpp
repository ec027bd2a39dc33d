// The layers that look up rows of tables, or put them beside what they read.
#include <fmt/format.h>

#include "kernels/networks/builder.h"

namespace rightsize {

int NetworkBuilder::embedding(const std::string& name,
                              int from,
                              std::int64_t vocabulary,
                              std::int64_t features) {
  auto& layer = append(name, LayerKind::embedding, {from});
  layer.vocabulary = vocabulary;
  layer.out.c = features;
  return last();
}

int NetworkBuilder::tied_embedding(const std::string& name, int from, int embedding) {
  const auto table = network_.layers.at(static_cast<std::size_t>(embedding));
  if (table.kind != LayerKind::embedding) {
    refuse(name, fmt::format("a table of {}, which has none", table.name));
  }
  auto& layer = append(name, LayerKind::embedding, {from});
  layer.vocabulary = table.vocabulary;
  layer.out.c = table.out.c;
  layer.tied_to = embedding;
  return last();
}

int NetworkBuilder::one_hot(const std::string& name, int from, std::int64_t vocabulary) {
  auto& layer = append(name, LayerKind::one_hot, {from});
  layer.vocabulary = vocabulary;
  layer.out.c = vocabulary;
  return last();
}

int NetworkBuilder::position_embedding(const std::string& name,
                                       int from,
                                       std::int64_t positions,
                                       std::int64_t segments) {
  if (shape(from).positions() > positions) {
    refuse(name,
           fmt::format("a sequence of {} positions; the network has learned {}",
                       shape(from).positions(),
                       positions));
  }
  auto& layer = append(name, LayerKind::position_embedding, {from});
  layer.vocabulary = positions;
  layer.segments = segments;
  return last();
}

}  // namespace rightsize
