// Generation, one token after the other: the same layers at one position, with a cache in every
// attention. Both engines run it.
#pragma once

#include "kernels/engine.h"

namespace rightsize {

// The network as one step of phase decode runs it: one position, and no loss, as the next token is
// not known yet. Throws EngineError for a network that cannot generate, or a prompt that leaves no
// room in its sequence.
[[nodiscard]] Network one_position(const Network& network, int prompt);

}  // namespace rightsize
