// What is read where neither a job file nor a flag says it.
#pragma once

#include "advisor/cli/command.h"
#include "advisor/machine/configuration.h"
#include "kernels/network.h"

namespace rightsize::cli {

// Not the pictures of ImageNet by who reads none.
void take_usual_data(const Values& values, const Network& network, Configuration& asked);

}  // namespace rightsize::cli
