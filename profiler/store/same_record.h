// Whether two records are one and the same run, written and read again.
#pragma once

#include "profiler/record.h"

namespace rightsize {

// Numbers may differ in their last digit: Boost.JSON 1.81 does not read them exactly.
[[nodiscard]] bool is_same(const Record& a, const Record& b);

}  // namespace rightsize
