// A question with something supposed of what it asks: of a service its load and limits, of a
// language model that writes tokens also their number and the form of its weights.
#pragma once

#include <string>
#include <vector>

#include "advisor/recommendation.h"
#include "advisor/suppose/supposition.h"

namespace rightsize {

// The number of machines, where it is supposed, is that of `now`, changed. Throws UsageError for
// what makes no sense of such a question.
[[nodiscard]] Query supposed_query(const Supposition& supposition, Query query, const Option& now);

// What of the supposition has no bearing on the question, a sentence each.
[[nodiscard]] std::vector<std::string> idle_suppositions(const Supposition& supposition,
                                                         const Query& query);

}  // namespace rightsize
