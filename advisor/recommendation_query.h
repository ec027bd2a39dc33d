// The question of a saved answer, read back with it.
#pragma once

#include "advisor/json_place.h"
#include "advisor/query/query.h"

namespace rightsize {

// `place` is the document's "query". Throws UsageError naming the field that is wrong.
[[nodiscard]] Query read_saved_query(const JsonPlace& place);

}  // namespace rightsize
