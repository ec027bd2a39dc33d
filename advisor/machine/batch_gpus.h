// The GPUs of a batch file's row: named in one cell, counted in it or in another, shared by nodes.
#pragma once

#include <string>

#include "advisor/machine/batch_columns.h"

namespace rightsize {

// Gives each node of the draft its GPUs. What is wrong with what the row says of them, "" if
// nothing is.
[[nodiscard]] std::string share_gpus(BatchDraft& draft);

}  // namespace rightsize
