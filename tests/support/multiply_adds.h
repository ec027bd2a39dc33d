// What published figures of networks count: multiply-adds of convolutions, linear layers and the
// two products of attention.
#pragma once

#include "kernels/layer_work.h"
#include "kernels/work.h"

namespace rightsize::test {

inline double multiply_adds(const Network& network) {
  double sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    if (layer.kind == LayerKind::attention) {
      const auto length = layer.out.positions();
      const double seen =
          layer.keys > 0 ? static_cast<double>(layer.keys) : mean_seen(layer, length);
      sum += 2 * static_cast<double>(layer.heads * layer.head_dim * length) * seen;
    }
    if (layer.kind == LayerKind::convolution || layer.kind == LayerKind::linear ||
        layer.kind == LayerKind::fully_connected ||
        layer.kind == LayerKind::transposed_convolution) {
      const double biases = layer.bias ? static_cast<double>(layer.out.elements()) : 0;
      sum += (layer_work(network, i).forward_flops - biases) / 2;
    }
  }
  return sum;
}

}  // namespace rightsize::test
