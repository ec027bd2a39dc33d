// A stand-in accelerator: it takes the time a GPU would take, so that the real data path can be
// driven at the speed of a machine we do not have.
#pragma once

#include <memory>

#include "kernels/engine.h"

namespace rightsize {

// Each step copies the batch into a staging buffer, as the host does for a device (copy_s), then
// sleeps until batch / replay_items_per_s seconds after the copy's end (compute_s); with
// replay_hides_copy after the copy's beginning, as a rate that counts its copies wants it. No loss.
// Throws EngineError when the rate is not positive, OutOfMemory when the buffer does not fit.
[[nodiscard]] std::unique_ptr<Engine> make_replay_engine(const Network& network,
                                                         const EngineOptions& options);

}  // namespace rightsize
