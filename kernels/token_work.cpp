// What work.h says of tokens: of one that is generated, of a prompt, and what of them is kept.
#include <algorithm>
#include <initializer_list>

#include "kernels/layer_work.h"
#include "kernels/recurrence_work.h"
#include "kernels/work.h"

namespace rightsize {

std::uint64_t kv_cache_elements(const Network& network) {
  std::uint64_t sum = 0;
  for (const auto& layer : network.layers) {
    if (layer.kind == LayerKind::attention) {
      sum += static_cast<std::uint64_t>(layer.cached_features() *
                                        layer.most_seen(layer.out.positions()));
    }
  }
  return sum;
}

namespace {

// Of one position, whose layers of `own` kinds do own_flops(layer).
template <typename OwnFlops>
double position_flops(const Network& network,
                      std::initializer_list<LayerKind> own,
                      OwnFlops own_flops) {
  double sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    sum += std::find(own.begin(), own.end(), layer.kind) != own.end()
               ? own_flops(layer)
               : layer_work(network, i).forward_flops / static_cast<double>(layer.out.positions());
  }
  return sum;
}

}  // namespace

double decode_flops(const Network& network, std::int64_t context) {
  const auto own = {LayerKind::attention, LayerKind::linear_recurrence};
  return position_flops(network, own, [&](const Layer& layer) {
    return layer.kind == LayerKind::linear_recurrence
               ? generated_recurrence_flops(layer)
               : cached_attention_flops(layer, static_cast<double>(layer.most_seen(context + 1)));
  });
}

double prompt_flops(const Network& network, std::int64_t tokens) {
  const double each = position_flops(network, {LayerKind::attention}, [&](const Layer& layer) {
    return attention_flops(layer, mean_seen(layer, tokens));
  });
  return static_cast<double>(tokens) * each;
}

}  // namespace rightsize
