// What an answer says of a GPU's memory: what the training program has to do for its step to fit,
// and what the step then holds; of decode how GPUs share a copy of the network.
#pragma once

#include "advisor/candidate/accelerator.h"
#include "advisor/machine/estimator.h"

namespace rightsize {

void note_memory(const Configuration& asked, const AcceleratorRate& rate, Answer& answer);

}  // namespace rightsize
