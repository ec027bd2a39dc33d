// Columns of a batch file that no row reads, though a job file, a flag or a program that trains has
// them, and they would change the answer: their rows are refused rather than answered as if they
// were blank, unless such a cell says nothing, or again what the rest of its row says.
#pragma once

#include <string>
#include <string_view>

#include "advisor/machine/batch_columns.h"

namespace rightsize {

// Whether `column` is such a one; any other is only carried along.
[[nodiscard]] bool is_unread(std::string_view column);

// What is wrong with a cell of it, and what to do instead; "" where nothing is. `row` is what its
// other columns say, with its GPUs shared by nodes.
[[nodiscard]] std::string unread_mistake(std::string_view column,
                                         std::string_view cell,
                                         const BatchDraft& row);

}  // namespace rightsize
