// How a training step may spare memory: by sharing the parameters (FSDP, ZeRO stage 3), by running
// blocks again instead of keeping what they gave (activation checkpointing), or both. Of those that
// fit the fastest is taken: sharing can be that too, as each rank updates its part alone. One rule
// for every command.
#pragma once

#include <string>
#include <vector>

#include "advisor/candidate/accelerator.h"

namespace rightsize {

// The first is what the query asks for with nothing spared that it does not name; the others are
// what may be done beyond. Of transformers alone: what others keep is not made of equal blocks, and
// their parameters are few beside it.
[[nodiscard]] std::vector<MemoryWay> training_ways(const NetworkFacts& facts,
                                                   const AcceleratorQuery& query);

// Whether the query says how GPUs share a copy of the network or its experts: then the ways are its
// portions, and none goes before the others.
[[nodiscard]] bool is_split_as_asked(const AcceleratorQuery& query);

// "8 share every layer, 4 stages, micro-batches of 2, blocks recomputed"; "" where each GPU does
// all.
[[nodiscard]] std::string words_of(const MemoryWay& way);

// What there is to say where blocks are run again; "" where that spares memory.
[[nodiscard]] std::string recomputed_in_vain(const Network& network, Precision precision);

// Whether a step of `query.batch` fits the GPU as it is sold, in that way.
[[nodiscard]] bool way_fits_gpu(const GpuMemoryLaw& law,
                                const AcceleratorQuery& query,
                                const GpuSpec& sold,
                                const MemoryWay& way);

// as_asked: what the query itself says is spared, and no more; as_needed: in any of the ways.
enum class MemorySpared { as_asked, as_needed };

// Whether a step of `query.batch` fits the GPU.
[[nodiscard]] bool fits_gpu(const NetworkFacts& facts,
                            const AcceleratorQuery& query,
                            const GpuSpec& gpu,
                            MemorySpared spared);
// The same for who asks of many: `law` is that of the query.
[[nodiscard]] bool fits_gpu(const GpuMemoryLaw& law,
                            const NetworkFacts& facts,
                            const AcceleratorQuery& query,
                            const GpuSpec& gpu,
                            MemorySpared spared);

}  // namespace rightsize
