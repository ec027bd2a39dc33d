// What is taken for granted of machines of one's own (--on-prem) among the options: how the
// purchase is shared, what disk they have, how many there are.
#pragma once

#include "advisor/recommendation.h"
#include "pricing/catalog.h"

namespace rightsize {

// Adds to the warnings and the assumptions of an answer.
void add_own_machine_notes(const Catalog& catalog, Recommendation& answer);

}  // namespace rightsize
