// Gradients to their mean over all ranks, by the strategies of kernels/parallel/exchange.h.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/gpu/collectives.h"
#include "kernels/workload.h"

namespace rightsize::gpu {

struct ExchangedGradient {
  void* values;
  std::int64_t count;
  ElementType type;
  float* residual;       // two_bit: what earlier steps left over; else null
  std::uint32_t* codes;  // two_bit: code_words(count) words for each rank; else null
};

// `nccl`: one all-reduce; `device`: every rank adds up its share of every gradient, then all fetch
// the other shares; with two_bit all send codes to all. Launches on `stream`; `local` is refused
// before it gets here.
void average_gradients(Collectives& collectives,
                       Exchange exchange,
                       Compression compression,
                       std::span<const ExchangedGradient> gradients,
                       cudaStream_t stream);

}  // namespace rightsize::gpu
