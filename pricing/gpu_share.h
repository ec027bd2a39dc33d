// Machines with a part of a GPU: tables count 0.125 of an L4.
#pragma once

#include "pricing/offer.h"

namespace rightsize {

// Of an offer with less than a GPU: one of the GPU "L4/8", as which it is known further on; its
// memory is left open, as tables state that of the whole or of the part. Others, also those of no
// N-th part, are left as they are.
void name_share(Offer& offer);

// The other way, as tables write it; others as they are.
[[nodiscard]] Offer with_counted_share(Offer offer);

// How much of whole GPUs a machine has: 0.125 of that with an "L4/8".
[[nodiscard]] double whole_gpus(const Offer& offer);

}  // namespace rightsize
