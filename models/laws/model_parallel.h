// The step of a transformer whose layers GPUs share: `tensor` of them every layer, and `pipeline`
// groups of those the layers one after another; what is left of the ranks, d of them, has copies.
//   tensor    each block's activations are gathered and summed up twice in a pass (sequence
//             parallelism: as many bytes as two all-reduces), 4 all-reduces of a micro-batch in
//             forward and backward and 2 more where the block is run again
//             Shoeybi et al., "Megatron-LM", 2019; Korthikanti et al., MLSys 2023, section 4.2
//             Where there are fewer heads of keys and values than GPUs (multi-query attention) the
//             queries, keys and values that each has made of its part are gathered, and their
//             gradients scattered, once a pass: Megatron's way with num_query_groups below the
//             tensor's GPUs, whose parameters stay divided (megatron/core/transformer/attention.py)
//   pipeline  m micro-batches through p stages: m + p - 1 turns of the slowest stage, a bubble of
//             (p - 1) / m of the work (1F1B); of stages that have v parts of the layers each,
//             interleaved, of (p - 1) / (v m), where micro-batches are passed on v times as often
//             Narayanan et al., SC 2021, section 2.2
//             Where blocks do not divide evenly the stage that has the head has the fewer of them
//             (Llama team, 2024, section 3.3.2, of 126 blocks in 16 stages)
//   context   positions of every sequence are divided: keys and values of a block are gathered in
//             each pass and their gradients summed up
//             Liu et al., "Ring attention", 2023; Llama team, "The Llama 3 herd of models", 2024
//   copies    gradients of 1 / (t p) of the parameters are averaged over all ranks that have them,
//             behind the last micro-batch's backward pass
//   experts   e of the copies divide those of a mixture: tokens go to them and back
//             (expert_exchange.h), and their gradients are averaged over d / e. In a pipeline the
//             ways of one micro-batch hide behind the work of another, which goes the other way:
//             DeepSeek-AI, 2024, section 3.2.1; Megatron's overlap of 1F1B
//             Where f of tensor's GPUs share an expert, and not all t of them, the experts lie on a
//             stage's GPUs by themselves: f, then e of those next to each other, then d t / (e f)
//             that have the same. Each GPU sends the tokens it has, 1 / t, and no sums of tensor's
//             GPUs follow a feed-forward part that is experts alone: Liu et al., "MoE parallel
//             folding", 2025, arXiv:2504.14960
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/network.h"
#include "models/laws/exchange.h"
#include "models/laws/gpu_memory.h"

namespace rightsize {

// What of a network its sharing depends on, worked out once.
struct ModelShape {
  int blocks = 0;                 // those with attention
  double block_share = 1;         // of a step's FLOPs
  double passed_elements = 0;     // of one item, from block to block
  double parameters = 0;          // that learn
  double expert_parameters = 0;   // of these
  double routed_elements = 0;     // of one item, to the experts of a block, at the mean
  int experts_per_token = 1;      // of the block that has most
  double expert_blocks = 0;       // whose feed-forward part is experts that tokens choose, alone
  double attended_elements = 0;   // of one item, a block's keys and values
  std::int64_t heads = 0;         // of keys and values: tensor divides them, or has each of them
                                  // on several GPUs
  std::int64_t query_heads = 0;   // which tensor divides then
  double projected_elements = 0;  // of one item, a block's queries, keys and values
  std::int64_t positions = 1;     // of one item
};

[[nodiscard]] ModelShape model_shape(const Network& network);

// The copies of one part of the layers, as ranks of a smaller cluster: a node has its GPUs by
// `tensor`, whose links they use together. Those that share sequences count as copies.
[[nodiscard]] Cluster copies_of(const ModelParallel& way, const Cluster& cluster);

// The same of an expert's copies: a stage's GPUs by those that share each expert.
[[nodiscard]] Cluster expert_copies_of(const ModelParallel& way, const Cluster& cluster);

// Whether `way` divides the shape, the node and the ranks: tensor the heads (or those of keys and
// values the tensor, and this those of queries) and a node's GPUs, both the ranks, stages and their
// chunks no more than blocks. Of experts divides_experts() tells.
[[nodiscard]] bool divides(const ModelParallel& way,
                           const ModelShape& shape,
                           const Cluster& cluster);

// The part of a pipeline's work that its stages wait, m micro-batches a step.
[[nodiscard]] double bubble_share(int pipeline, int micro_batches, int chunks = 1);

// Whether stages may have so many parts of the layers, of a block at least; more than one where a
// step's micro-batches are a multiple of the stages (Megatron's rule).
[[nodiscard]] bool may_interleave(const ModelShape& shape,
                                  int pipeline,
                                  int micro_batches,
                                  int chunks);

// Those worth trying: of 1, 2, ... blocks a part, the last ones not full.
[[nodiscard]] std::vector<int> possible_chunks(const ModelShape& shape,
                                               int pipeline,
                                               int micro_batches);

// The stage that the others wait for.
struct Stage {
  double blocks = 0;
  double share = 1;  // of the network's work
};

[[nodiscard]] Stage slowest_stage(const ModelShape& shape, int pipeline, int chunks);

// What sharing layers and sequences adds to one micro-batch in a stage of so many blocks.
[[nodiscard]] double shared_layers_seconds(const ExchangeLaw& law,
                                           const Cluster& cluster,
                                           const ModelParallel& way,
                                           const ModelShape& shape,
                                           double blocks,
                                           int bytes_per_element,
                                           bool recompute);

// One step, in which every copy takes `micro_batches`. micro_s: what one takes of one GPU that does
// its part of every layer, its share of the optimizer's work within.
[[nodiscard]] double model_parallel_step_seconds(const ExchangeLaw& law,
                                                 const Cluster& cluster,
                                                 const ModelParallel& way,
                                                 const ModelShape& shape,
                                                 int micro_batches,
                                                 int bytes_per_element,
                                                 bool recompute,
                                                 double micro_s);

}  // namespace rightsize
