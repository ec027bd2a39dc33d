// What a reader of a sound record should know beside its numbers.
#pragma once

#include "profiler/record.h"

namespace rightsize {

// Adds them to record.throttle_notes: a loss that diverged; a limit of the disk that only the first
// epoch felt, as later ones came from memory. Everything else in `record` must be filled.
void add_notes(Record& record);

}  // namespace rightsize
