// Layers that use what others have: parameters, keys and values (builder.h).
#include <algorithm>

#include <fmt/format.h>

#include "kernels/networks/builder.h"

namespace rightsize {

int NetworkBuilder::attention_beside(const std::string& name,
                                     int queries,
                                     int owner,
                                     const AttentionShape& attention) {
  const auto& cached = network_.layers.at(static_cast<std::size_t>(owner));
  if (cached.kind != LayerKind::attention || cached.kv_heads != attention.kv_heads ||
      cached.head_dim != attention.head_dim || cached.window != attention.window ||
      shape(queries).c != attention.heads * attention.head_dim) {
    refuse(name,
           fmt::format("{} heads of {} features do not read what {} caches",
                       attention.heads,
                       attention.head_dim,
                       cached.name));
  }
  auto& layer = append(name, LayerKind::attention, {queries});
  layer.heads = attention.heads;
  layer.kv_heads = attention.kv_heads;
  layer.head_dim = attention.head_dim;
  layer.causal = true;
  layer.rotary_base = attention.rotary_base;
  layer.window = attention.window;
  layer.keys_of = owner;
  return last();
}

void NetworkBuilder::know_distances(Layer& layer, std::int64_t distances) const {
  const auto first = std::find_if(network_.layers.begin(),
                                  network_.layers.end(),
                                  [](const Layer& other) { return other.distances > 0; });
  if (first != network_.layers.end()) {
    layer.tied_to = static_cast<int>(first - network_.layers.begin());
  }
  layer.distances = distances;
}

void NetworkBuilder::share_parameters(int first, int owner) {
  for (int i = 0; first + i <= last(); ++i) {
    auto& layer = network_.layers.at(static_cast<std::size_t>(first + i));
    const auto& other = network_.layers.at(static_cast<std::size_t>(owner + i));
    if (layer.kind != other.kind || layer.out != other.out) {
      refuse(layer.name, fmt::format("is not of the kind and shape of {}", other.name));
    }
    if (layer.kind == LayerKind::linear || layer.kind == LayerKind::layer_norm) {
      layer.tied_to = other.tied_to < 0 ? owner + i : other.tied_to;
    }
  }
}

}  // namespace rightsize
