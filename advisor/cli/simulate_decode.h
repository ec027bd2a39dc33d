// `simulate --serve --phase decode`: a language model answers token by token.
#pragma once

#include "advisor/cli/command.h"

namespace rightsize::cli {

int run_simulate_decode(Context& context, const Values& values);

}  // namespace rightsize::cli
