// An option of a saved answer, read back (recommendation_file.h): what option_json.cpp writes.
#pragma once

#include "advisor/json_place.h"
#include "advisor/query/query.h"
#include "advisor/recommendation.h"

namespace rightsize {

// Of an answer to `query`. Without a rank where it has none: today's machine may be none of the
// options. Throws UsageError as JsonPlace does, also where its numbers contradict each other.
[[nodiscard]] Option read_option(const JsonPlace& place, const Query& query);

}  // namespace rightsize
