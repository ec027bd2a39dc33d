#include "kernels/cpu/fusion.h"

#include <cstddef>

namespace rightsize::cpu {
namespace {

bool can_end_in_relu(LayerKind kind) {
  return kind == LayerKind::convolution || kind == LayerKind::fully_connected ||
         kind == LayerKind::batch_norm || kind == LayerKind::add;
}

}  // namespace

Fusion plan_fusion(const Network& network, Phase phase) {
  const auto count = network.layers.size();
  std::vector<int> readers(count, 0);
  for (const auto& layer : network.layers) {
    for (const int input : layer.inputs) {
      ++readers[static_cast<std::size_t>(input)];
    }
  }
  Fusion fusion{std::vector<int>(count), std::vector<bool>(count, false)};
  for (std::size_t i = 0; i < count; ++i) {
    const auto& layer = network.layers[i];
    fusion.value[i] = static_cast<int>(i);
    if (layer.kind == LayerKind::relu) {
      const auto from = static_cast<std::size_t>(layer.inputs[0]);
      if (readers[from] == 1 && can_end_in_relu(network.layers[from].kind)) {
        fusion.value[i] = layer.inputs[0];
        fusion.relu[from] = true;
      }
    } else if (layer.kind == LayerKind::dropout && !in_training_mode(phase)) {
      fusion.value[i] = fusion.value[static_cast<std::size_t>(layer.inputs[0])];
    }
  }
  return fusion;
}

}  // namespace rightsize::cpu
