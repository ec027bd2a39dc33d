// Experts of a mixture that ranks divide among themselves (expert parallelism: Lepikhin et al.,
// "GShard", ICLR 2021, section 3.2). A token's features go to the ranks whose experts it takes and
// come back weighted: two all-to-alls in a pass of every such layer, and two more where the block
// is run again. Tokens take experts evenly. Over its share of the node's line a rank sends a token
// once to each other node that has any of its k experts,
//   (N - 1) (1 - (1 - 1 / N)^k)  of N nodes at the mean,
// and over the links of a node each copy goes to its expert, at the same time (DeepSeek-AI,
// "DeepSeek-V3 technical report", 2024, section 3.2.2, whose kernels other programs took over; that
// its tokens go to 4 nodes at most is left out).
// Nothing else hides them on one pipeline stage, nor do they keep what is gathered meanwhile from
// the links; in a pipeline another micro-batch does (model_parallel.h).
#pragma once

#include "kernels/network.h"
#include "kernels/network_blocks.h"
#include "models/laws/exchange.h"

namespace rightsize {

// What programs that divide experts differ in beyond all others, of the rate's logarithm: how they
// send tokens (each copy by itself, or once a node), how evenly experts are taken, what they hide.
// By nine published trainings (asked_blind_training.csv, "again").
inline constexpr double expert_log_sd = 0.25;

// How experts are divided; 1: each rank has all, of its own or gathered.
struct ExpertSharing {
  int ranks = 1;
  double items = 0;  // of a rank, that pass through at once
  double bytes_per_element = 2;

  [[nodiscard]] bool any() const { return ranks > 1; }
};

// Elements of one item that a pass sends to the experts of a block's layers; as many come back.
[[nodiscard]] double routed_elements(const Network& network, const Block& block);
// Experts that a token takes in a block, k above; 1 where it has none.
[[nodiscard]] int experts_per_token(const Network& network, const Block& block);
// Whether what a block's experts read goes through them alone, with no part that all tokens take.
[[nodiscard]] bool has_experts_alone(const Network& network, const Block& block);

// Whether so many ranks can divide a mixture's experts: all of each layer's evenly, a node's GPUs
// or whole nodes together.
[[nodiscard]] bool divides_experts(const Network& network, const Cluster& cluster, int ranks);

// One all-to-all among `ranks` that are neighbours, of which each sends `bytes` in all, `copies` of
// every token.
[[nodiscard]] double all_to_all_seconds(
    const ExchangeLaw& law, const Cluster& cluster, int ranks, double bytes, int copies = 1);

// Gathering, or summing up, what each of a group's ranks has of `bytes` of experts, among the
// groups that have the same: 0 where one group is all.
[[nodiscard]] double expert_gather_seconds(const ExchangeLaw& law,
                                           const Cluster& cluster,
                                           const ExpertSharing& sharing,
                                           double bytes);

}  // namespace rightsize
