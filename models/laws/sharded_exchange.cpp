#include "models/laws/sharded_exchange.h"

#include <algorithm>

#include "kernels/adapter_work.h"
#include "kernels/network_blocks.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

// One block's turn on the compute units, in the order of the step.
struct Turn {
  double gather_s = 0;   // its weights on the links
  double scatter_s = 0;  // its gradients, afterwards; 0 in the forward pass
  double compute_s = 0;
};

// The links of one step: whose parts they carry.
class Links {
 public:
  Links(const ExchangeLaw& law, const Cluster& cluster, const ExpertSharing& experts)
      : law_(law), cluster_(cluster), experts_(experts) {}

  [[nodiscard]] double gather_s(double bytes, double expert_bytes) const {
    return experts_.any() ? gather_seconds(law_, cluster_, bytes - expert_bytes) +
                                expert_gather_seconds(law_, cluster_, experts_, expert_bytes)
                          : gather_seconds(law_, cluster_, bytes);
  }

  // Of a pass through a block: to experts and back.
  [[nodiscard]] double routing_s(const ShardedBlock& block) const {
    const double bytes = block.routed_elements * experts_.items * experts_.bytes_per_element;
    return experts_.any() && bytes > 0
               ? 2 * all_to_all_seconds(
                         law_, cluster_, experts_.ranks, bytes, block.experts_per_token)
               : 0;
  }

 private:
  const ExchangeLaw& law_;
  const Cluster& cluster_;
  const ExpertSharing& experts_;
};

std::vector<Turn> turns_of(const Links& links,
                           std::span<const ShardedBlock> blocks,
                           bool recompute,
                           double step_s) {
  const auto again = [&](const ShardedBlock& block) {
    return recompute && block.recomputed_flops > 0;
  };
  const auto backward = [&](const ShardedBlock& block) {
    return block.backward_flops + (again(block) ? block.recomputed_flops : 0);
  };
  double flops = 0;
  for (const auto& block : blocks) {
    flops += block.forward_flops + backward(block);
  }
  const double per_flop = flops > 0 ? step_s / flops : 0;
  std::vector<Turn> turns;
  for (const auto& block : blocks) {
    turns.push_back({links.gather_s(block.gathered_bytes, block.expert_bytes),
                     0,
                     block.forward_flops * per_flop + links.routing_s(block)});
  }
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    const double one_s = links.gather_s(block->gathered_bytes, block->expert_bytes);
    const double sum_s = links.gather_s(block->gradient_bytes, block->expert_bytes);
    const bool still_there = block == blocks.rbegin();
    const double routing_s = links.routing_s(*block) * (again(*block) ? 2 : 1);
    turns.push_back({still_there ? 0 : one_s, sum_s, backward(*block) * per_flop + routing_s});
  }
  return turns;
}

}  // namespace

std::vector<ShardedBlock> sharded_blocks(const Network& network, Precision precision) {
  const double element = bytes_per_element(precision);
  const auto held = frozen_bytes_per_parameter(network, precision);
  const auto trained = trained_parameters(network);
  std::vector<ShardedBlock> sharded;
  for (const auto& block : blocks_of(network)) {
    ShardedBlock one;
    for (std::size_t i = block.first; i < block.end; ++i) {
      const auto work = layer_work(network, i);
      const double own = static_cast<double>(trained[i]) * element;
      one.gathered_bytes +=
          static_cast<double>(work.parameters) * held[i] + (network.adapters.any() ? own : 0);
      one.gradient_bytes += own;
      one.expert_bytes += network.layers[i].kind == LayerKind::experts ? own : 0;
      one.forward_flops += work.forward_flops;
      one.backward_flops += work.backward_flops;
      one.recomputed_flops += block.recomputable ? work.forward_flops : 0;
    }
    one.routed_elements = routed_elements(network, block);
    one.experts_per_token = experts_per_token(network, block);
    sharded.push_back(one);
  }
  return sharded;
}

double sharded_step_seconds(const ExchangeLaw& law,
                            const Cluster& cluster,
                            std::span<const ShardedBlock> blocks,
                            bool recompute,
                            double alone_s,
                            const ExpertSharing& experts) {
  if (cluster.ranks() <= 1) {
    return alone_s;
  }
  const auto turns = turns_of(Links(law, cluster, experts), blocks, recompute, alone_s);
  double step_s = 0;  // with the ways of tokens
  for (const auto& turn : turns) {
    step_s += turn.compute_s;
  }
  double links_s = 0;     // until when the links are taken
  double computed_s = 0;  // until when the compute units are
  double busy_s = 0;
  double gathered_s =
      turns.empty() ? 0 : turns.front().gather_s;  // when a turn's weights are there
  links_s = gathered_s;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const double begins_s = std::max(computed_s, gathered_s);
    busy_s += turns[i].gather_s + turns[i].scatter_s;
    computed_s = begins_s + turns[i].compute_s;
    if (i + 1 < turns.size()) {  // the next one's weights, as soon as this one has its memory
      links_s = std::max(links_s, begins_s) + turns[i + 1].gather_s;
      gathered_s = links_s;
    }
    if (turns[i].scatter_s > 0) {
      links_s = std::max(links_s, computed_s) + turns[i].scatter_s;
    }
  }
  const double shown_s = std::max(links_s, computed_s) - step_s;
  const double hidden_s = std::max(busy_s - shown_s, 0.0);
  return step_s + shown_s + law.hidden_cost * hidden_s + step_s * waiting_share(law, cluster);
}

}  // namespace rightsize
