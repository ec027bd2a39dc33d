// What no run can have measured, in a record that comes from elsewhere.
#pragma once

#include "profiler/record.h"

namespace rightsize {

// Throws RecordError naming the field: a rate below zero or outside its own interval, limits and
// batches below what there can be, a start that is no time (RFC 3339 UTC, or empty).
void require_possible(const Record& record);

}  // namespace rightsize
