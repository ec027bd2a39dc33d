// What an answer says of the GPUs whose rate it took: whose software that is of, what goes between
// them, and what of the question they have not.
#pragma once

#include "advisor/candidate/accelerator.h"
#include "advisor/machine/estimator.h"

namespace rightsize {

// `after_era`: the GPU is younger than the libraries that Stack::era stands for.
void note_accelerator(const Configuration& asked,
                      const AcceleratorRate& rate,
                      bool after_era,
                      Answer& answer);

}  // namespace rightsize
