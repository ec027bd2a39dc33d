// The flags of training large transformers that predict and advise have in common: what is trained,
// and how GPUs share a copy of the network.
#pragma once

#include "advisor/cli/command.h"
#include "kernels/adapters.h"
#include "kernels/workload.h"

namespace rightsize::cli {

void add_large_model_options(Options& options);

// --tensor-parallel and --pipeline-parallel where they are given. Throws UsageError.
void read_model_parallel(const Values& values, Phase phase, int& tensor, int& pipeline);

// --adapter where it is given; adapters are what is trained. Throws UsageError.
void read_adapters(const Values& values, Phase phase, Adapters& adapters);

}  // namespace rightsize::cli
