// The step of a transformer whose layers (tensor) or sequences (context) GPUs share, where all
// copies of a part of the layers divide its parameters (FSDP; ZeRO stage 3) in place of having
// them: the usual way to train on long sequences. Those that share a sequence are copies too, so
// that c of them times d others gather what each has 1 / (c d) of, block by block and for every
// micro-batch anew (sharded_exchange.h), beside what sharing layers and sequences takes
// (model_parallel.h). Nobody gathers again for each micro-batch of a pipeline: there parameters
// stay from the first to the last (torchtitan, AutoModel), which is the other law's averaging once
// a step.
// Zhao et al., "PyTorch FSDP", VLDB 2023; Liang et al., "TorchTitan", ICLR 2025, section 2.
#pragma once

#include <span>

#include "models/laws/model_parallel.h"
#include "models/laws/sharded_exchange.h"

namespace rightsize {

// One step, in which every copy takes `micro_batches`. micro_s: what one takes of one GPU that does
// its part of every layer, its share of the optimizer's work within. `way` has one stage; `blocks`
// are the whole network's (sharded_blocks()).
[[nodiscard]] double sharded_copies_step_seconds(const ExchangeLaw& law,
                                                 const Cluster& cluster,
                                                 const ModelParallel& way,
                                                 const ModelShape& shape,
                                                 std::span<const ShardedBlock> blocks,
                                                 int micro_batches,
                                                 int bytes_per_element,
                                                 bool recompute,
                                                 double micro_s);

}  // namespace rightsize
