// What share of its data sheet a GPU does of a language model's own operations while it trains: the
// measure by which teams compare their programs.
#pragma once

#include "advisor/machine/estimator.h"
#include "kernels/network.h"
#include "models/laws/gpu_spec.h"

namespace rightsize {

// Of one GPU that does so many items a second of its own, a note of the answer. Operations are
// those of the model, forward and backward, and none that is computed again: Chowdhery et al.,
// "PaLM", 2022, appendix B. Nothing of networks that read no tokens, whose teams count otherwise,
// and of those with adapters.
void note_model_flops(const Network& network,
                      const GpuSpec& gpu,
                      double items_per_s,
                      Answer& answer);

}  // namespace rightsize
