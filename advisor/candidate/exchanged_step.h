// What of a step GPUs spend on what they send each other, by whichever law is of the way they share
// the work.
#pragma once

#include "advisor/candidate/accelerator.h"

namespace rightsize {

// Seconds of a minibatch's step with its part of the exchange, of which `step_s` a GPU alone takes;
// fills in which exchange it was, and over what. `result` has the way and the precision.
[[nodiscard]] double exchanged_step_seconds(const NetworkFacts& facts,
                                            const AcceleratorQuery& query,
                                            const GpuSpec& gpu,
                                            double step_s,
                                            AcceleratorRate& result);

// What sending vectors of divided tables adds to a step.
[[nodiscard]] double divided_tables_seconds(const NetworkFacts& facts,
                                            const AcceleratorQuery& query,
                                            const GpuSpec& gpu,
                                            AcceleratorRate& result);

}  // namespace rightsize
