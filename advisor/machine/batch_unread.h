// Columns of a batch file that no row reads.
#pragma once

#include <string>
#include <string_view>

namespace rightsize {

// Of a column that no row reads, though a job file has a key of that name which would change the
// answer, as weights do: where the job file has it. "" of any other, which is only carried along.
[[nodiscard]] std::string job_has(std::string_view column);

}  // namespace rightsize
