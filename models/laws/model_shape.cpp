#include <algorithm>

#include "kernels/adapter_work.h"
#include "kernels/network_blocks.h"
#include "kernels/work.h"
#include "models/laws/expert_exchange.h"
#include "models/laws/model_parallel.h"

namespace rightsize {

ModelShape model_shape(const Network& network) {
  ModelShape shape;
  const auto learning = trained_parameters(network);
  double inside = 0;
  double all = 0;
  for (const auto& block : blocks_of(network)) {
    double flops = 0;
    for (std::size_t i = block.first; i < block.end; ++i) {
      const auto work = layer_work(network, i);
      flops += work.forward_flops + work.backward_flops;
      const auto& layer = network.layers[i];
      if (layer.kind == LayerKind::linear_recurrence && shape.heads == 0) {
        shape.heads = shape.query_heads = layer.heads;
      }
      if (layer.kind == LayerKind::attention) {
        shape.heads = layer.kv_heads;
        shape.query_heads = layer.heads;
        shape.positions = layer.out.positions();
        shape.attended_elements = 2.0 * static_cast<double>(layer.kv_heads * layer.head_dim) *
                                  static_cast<double>(shape.positions);
        shape.projected_elements =
            shape.attended_elements + static_cast<double>(layer.out.elements());
      }
      shape.parameters += static_cast<double>(learning[i]);
    }
    all += flops;
    if (block.recomputable) {
      ++shape.blocks;
      inside += flops;
      shape.passed_elements = static_cast<double>(network.layers[block.first - 1].out.elements());
    }
    shape.expert_parameters += static_cast<double>(expert_parameter_count(network, block));
    shape.routed_elements += routed_elements(network, block);
    shape.experts_per_token = std::max(shape.experts_per_token, experts_per_token(network, block));
    shape.expert_blocks += has_experts_alone(network, block) ? 1 : 0;
  }
  shape.block_share = all > 0 ? inside / all : 1;
  shape.routed_elements /= std::max(1, shape.blocks);
  return shape;
}

}  // namespace rightsize
