// A rate that goes by a step which GPUs shared (--measured, [[measured]]: no single one had room
// for it) has the gathering of parameters in it, which the exchange of the machine that is asked
// about would charge a second time.
#pragma once

#include "advisor/candidate/accelerator.h"

namespace rightsize {

// What one GPU does of it alone: of the step as it was told, that whose exchange makes it so long.
// It is taken to have been of 8 GPUs of a machine, or as many as the asked one has, or of all that
// are asked about where those have no room. Any other rate comes back as it is.
[[nodiscard]] GpuRate taken_alone(GpuRate told,
                                  const MemoryWay& way,
                                  const NetworkFacts& facts,
                                  const AcceleratorQuery& query);

}  // namespace rightsize
