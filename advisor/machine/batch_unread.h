// Columns of a batch file that no row reads.
#pragma once

#include <string>
#include <string_view>

namespace rightsize {

// Of a column that no row reads, though a job file or a flag of that name would change the answer,
// as weights do: what to do instead. "" of any other, which is only carried along.
[[nodiscard]] std::string ask_instead_of(std::string_view column);

}  // namespace rightsize
