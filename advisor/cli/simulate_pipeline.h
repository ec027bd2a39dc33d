// `simulate` of a job's data path: the minibatches of one node, stage by stage.
#pragma once

#include "advisor/cli/command.h"

namespace rightsize::cli {

int run_simulate_pipeline(Context& context, const Values& values);

}  // namespace rightsize::cli
