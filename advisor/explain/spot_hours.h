// What the hours of a job on a spot market are made of: a node of explain's tree.
#pragma once

#include "advisor/explain/cause.h"
#include "advisor/query/query.h"
#include "advisor/recommendation.h"

namespace rightsize {

// The hours of an option that has `spot`; its parts add up to them. `undisturbed`: the same job on
// machines that stay, the first part.
[[nodiscard]] Cause spot_hours_cause(const Query& query, const Option& option, Cause undisturbed);

}  // namespace rightsize
