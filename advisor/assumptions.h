// What an answer takes for granted, a sentence each.
#pragma once

#include "advisor/recommendation.h"
#include "models/model.h"

namespace rightsize {

// Fills in `answer.assumptions`, by what was asked, what the options turned out to be and what the
// model has measured.
void add_assumptions(const Model& model, Recommendation& answer);

}  // namespace rightsize
