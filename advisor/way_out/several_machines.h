// What several machines would save of work whose items need nothing of one another, where the
// question is of one.
#pragma once

#include <string>

#include "advisor/recommendation.h"
#include "advisor/search.h"

namespace rightsize {

// Where a deadline has one large machine chosen for work without gradients, or none meets it, and
// several small ones that share the items do, for clearly less: which, and for how much. Empty
// otherwise. Costs a search.
[[nodiscard]] std::string several_instead(const Evidence& evidence, const Recommendation& answer);

}  // namespace rightsize
