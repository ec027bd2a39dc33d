// predict --batch-file: a table of configurations in, the same table with estimates out.
#pragma once

#include "advisor/cli/command.h"

namespace rightsize::cli {

int run_predict_batch(Context& context, const Values& values);

}  // namespace rightsize::cli
