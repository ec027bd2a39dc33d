// GPUs that write a language model's tokens, a batch of sequences at a time, each with its own copy
// of the network or several of a node with one (query.tensor_parallel, or as few as hold it): by
// the law of decoding (laws/decode.h), as services are answered. The batch is a copy's. The cache
// of every sequence holds as many tokens as the network is asked for.
#pragma once

#include "advisor/candidate/accelerator.h"

namespace rightsize {

// Whether the weights and the caches of query.batch sequences fit a copy's GPUs, as they are sold.
[[nodiscard]] bool decode_fits(const GpuSpec& gpu,
                               const NetworkFacts& facts,
                               const AcceleratorQuery& query);

// Tokens/s of all GPUs together: as `measured` on this machine, where it was; else by the law, and
// then its interval is that of the software's published rates, or, where it has none, of all
// (laws/decode_software.h). What was measured is our own engine's, so services, which other
// programs answer, are not told by it (token_servers.cpp).
[[nodiscard]] AcceleratorRate decode_rate(const GpuSpec& gpu,
                                          const std::optional<GpuRate>& measured,
                                          const NetworkFacts& facts,
                                          const AcceleratorQuery& query);

}  // namespace rightsize
