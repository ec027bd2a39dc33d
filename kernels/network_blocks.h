// The blocks a network is made of: what sharded training gathers at a time, and what recomputation
// runs again from its kept input. Of a denoiser those it marks (Layer::block), into which more than
// one tensor may go; of another transformer its layers, the parts before and after them
// standing apart, as PyTorch's FSDP and its activation checkpointing wrap them; of any other
// network the stretches between places where one tensor alone is passed on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/network.h"
#include "kernels/training_state.h"
#include "kernels/workload.h"

namespace rightsize {

// Layers first .. end - 1 of Network::layers.
struct Block {
  std::size_t first = 0;
  std::size_t end = 0;
  bool recomputable = false;  // it is no embedding or head
};

// In order; together all layers of the network.
[[nodiscard]] std::vector<Block> blocks_of(const Network& network);

// Whether it is made of blocks with attention.
[[nodiscard]] bool is_transformer(const Network& network);

[[nodiscard]] std::uint64_t parameter_count(const Network& network, const Block& block);
// Of these the experts of a mixture.
[[nodiscard]] std::uint64_t expert_parameter_count(const Network& network, const Block& block);

struct BlockParameters {
  std::uint64_t experts = 0;  // of a mixture
  std::uint64_t others = 0;
  bool recomputable = false;  // as of its Block
};

// Of each of blocks_of(), in order.
[[nodiscard]] std::vector<BlockParameters> parameters_by_block(const Network& network);

// Device memory of parameters, gradients and the optimizer's state, in bytes, where `ranks` divide
// them (Rajbhandari et al., SC 2020, stage 3): the FP32 ones by the ranks, and at the kernels'
// precision the weights of a block and of the next one, gathered ahead, with as much of gradients
// on their way to their owners (Zhao et al., VLDB 2023, sections 3.2 and 3.3). `phase` has a
// backward pass. Where ranks divide a mixture's experts a part of them is gathered.
[[nodiscard]] std::uint64_t sharded_parameter_bytes(
    const Network& network, Phase phase, Precision precision, int ranks, int expert_ranks = 1);
// The same from parameters_by_block(), for who asks again and again; of a network without adapters.
[[nodiscard]] std::uint64_t sharded_parameter_bytes(const std::vector<BlockParameters>& blocks,
                                                    const StateBytes& state,
                                                    Precision precision,
                                                    int ranks,
                                                    int expert_ranks = 1);

// Activations of one item kept for the backward pass where blocks are recomputed, in elements: the
// blocks' inputs, those of one block while it runs again, and what no block has (Chen et al.,
// "Training deep nets with sublinear memory cost", 2016, section 4).
[[nodiscard]] std::uint64_t recomputed_activation_elements(const Network& network);

}  // namespace rightsize
