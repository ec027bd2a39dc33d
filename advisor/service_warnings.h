// What to know of a service of requests that its answer's figures leave out.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize {

// A language model behind requests that nobody says it writes to. Of an answer that chose, as the
// next.
void warn_of_single_pass(Recommendation& answer);

// So many requests a vCPU that receiving them, which is not counted, may take more than is left.
void warn_of_requests(Recommendation& answer);

}  // namespace rightsize
