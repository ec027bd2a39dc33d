// What an answer rests on, said next to it: evidence, assumptions, warnings.
#pragma once

#include "advisor/recommendation.h"
#include "advisor/search.h"

namespace rightsize {

// Fills in everything of `answer` that does not depend on the ranking but explains it. `chosen`:
// the offer of the chosen option; null where there is none.
void add_premises(const Evidence& evidence, const Offer* chosen, Recommendation& answer);

// Whose data path the model goes by where no run read what the query's job does; else empty.
[[nodiscard]] std::string data_path_note(const Model& model, const Query& query);

}  // namespace rightsize
