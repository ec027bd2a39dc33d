// What a record says of a run before it has begun.
#pragma once

#include "profiler/measure/runner.h"
#include "profiler/record.h"

namespace rightsize {

[[nodiscard]] Record blank_record(const RunSpec& spec, const RunOptions& options);

}  // namespace rightsize
