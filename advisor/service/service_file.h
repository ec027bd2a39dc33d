// What a saved answer says of a service, read back (recommendation_file.h): the question's load and
// target, and an option's fleet.
#pragma once

#include "advisor/json_place.h"
#include "advisor/recommendation.h"

namespace rightsize {

// Both throw UsageError naming the field.
[[nodiscard]] Service read_service(const JsonPlace& place);
// Into `option`, whose cost is there already.
void read_fleet(const JsonPlace& place, Option& option);

}  // namespace rightsize
