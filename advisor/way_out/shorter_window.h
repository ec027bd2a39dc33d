// What a service would cost if its replicas waited less for a minibatch to fill.
#pragma once

#include <string>

#include "advisor/recommendation.h"
#include "advisor/search.h"

namespace rightsize {

// Where max_delay takes a good part of the time within which answers are wanted, and a fifth of it
// leaves fleets that cost markedly less, or leaves any: which, and for how much. Empty otherwise.
// Costs a search.
[[nodiscard]] std::string shorter_window(const Evidence& evidence, const Recommendation& answer);

}  // namespace rightsize
