// Where a result goes.
#pragma once

#include "advisor/cli/command.h"

namespace rightsize::cli {

// Whether emit() writes to context.out: without --out-file, and with "-".
[[nodiscard]] bool to_stdout(const Values& values);

}  // namespace rightsize::cli
