// The step of fully sharded data-parallel training (ZeRO stage 3: Rajbhandari et al., SC 2020;
// FSDP: Zhao et al., VLDB 2023). Each rank holds 1/n of the parameters; block by block
//   forward    gather the block's weights                 (n-1)/n B over the ring
//   backward   gather them again, then sum the gradients
//              up, each part at its owner (reduce-scatter) 2 (n-1)/n B
// with B the block's bytes at the width the kernels compute in: one and a half times what an
// all-reduce of the gradients moves; the last block's weights stay from one pass to the other. The
// links serve one collective after another. A block's weights are gathered while the one before it
// computes, not earlier (two blocks at a time have memory, kernels/network_blocks.h); a block
// computes once its weights are there and the one before it is done; its gradients leave when its
// backward pass is done, behind the gathering that was asked for before. Beyond what shows, what
// compute hides costs as it does under an all-reduce (exchange.h).
#pragma once

#include <span>
#include <vector>

#include "kernels/network.h"
#include "kernels/workload.h"
#include "models/laws/exchange.h"
#include "models/laws/expert_exchange.h"

namespace rightsize {

// One block: what is gathered of it, and its parts of the step's work.
struct ShardedBlock {
  double gathered_bytes = 0;
  double gradient_bytes = 0;
  double forward_flops = 0;
  double backward_flops = 0;
  double recomputed_flops = 0;  // of its forward pass, where that is run again
  double expert_bytes = 0;      // of those gathered or summed up, the experts'
  double routed_elements = 0;   // of an item, to experts that ranks divide
  int experts_per_token = 1;
};

// In forward order; kernels compute in `precision`. Of a network with adapters the frozen
// parameters are gathered as they are held (kernels/adapter_work.h), and nothing is summed up but
// the adapters' gradients.
[[nodiscard]] std::vector<ShardedBlock> sharded_blocks(const Network& network, Precision precision);

// One step of a rank that computes alone for step_s, which `recompute` is part of. Experts that
// ranks divide are gathered among those alone that have the same, and tokens go to them and back
// (expert_exchange.h).
[[nodiscard]] double sharded_step_seconds(const ExchangeLaw& law,
                                          const Cluster& cluster,
                                          std::span<const ShardedBlock> blocks,
                                          bool recompute,
                                          double step_s,
                                          const ExpertSharing& experts = {});

}  // namespace rightsize
