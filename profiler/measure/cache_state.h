// What the page cache holds of a run's data when it starts.
#pragma once

#include <string>

#include "profiler/measure/run_spec.h"
#include "profiler/record.h"

namespace rightsize {

// Drops the data, or, for the cached part of a differential, reads it in; `may_drop` is false for
// runs that take the cache as it is. What stayed in it all the same is a note of the record.
// Returns why data that should be cached is not; empty: nothing to say.
[[nodiscard]] std::string prepare_page_cache(const RunSpec& spec, bool may_drop, Record& record);

}  // namespace rightsize
