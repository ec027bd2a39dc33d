// What a run that emulates a machine says of its prediction, as an exit code and as a word.
#pragma once

#include <string_view>

#include "profiler/record.h"

namespace rightsize::cli {

// 0 it agrees; 5 it does not, or ran out of the memory that was said to do; 4 it was measured and
// is not believed; 1 it gave no measurement.
[[nodiscard]] int exit_of_run(const Record& record, bool believed, bool agrees);
// "pass", "fail", "not believed", "not measured".
[[nodiscard]] std::string_view verdict_word(const Record& record, bool believed, bool agrees);

}  // namespace rightsize::cli
