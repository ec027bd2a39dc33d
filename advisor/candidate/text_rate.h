// GPUs that write whole texts, each a prompt and the tokens after it, as fast as they can: a batch
// of a copy is in flight at all times, and another text takes the place of each that is done
// (continuous batching, laws/decode.h), as programs that serve work through a list. The copies are
// those of a server of tokens (token_service.h), of the shape that writes most.
#pragma once

#include <optional>

#include "advisor/candidate/accelerator.h"

namespace rightsize {

// Texts that a copy has in flight where no batch is said: those whose caches fit beside the weights
// of the shape that writes most; nullopt where not one fits.
[[nodiscard]] std::optional<int> texts_in_flight(const GpuSpec& gpu,
                                                 const NetworkFacts& facts,
                                                 const AcceleratorQuery& query);

// Texts/s of all GPUs together, with query.batch of each copy in flight, or as many as fit where
// these are fewer. `gpu` as it is sold; query.writing is of texts.
[[nodiscard]] AcceleratorRate text_rate(const GpuSpec& gpu,
                                        const NetworkFacts& facts,
                                        const AcceleratorQuery& query);

}  // namespace rightsize
