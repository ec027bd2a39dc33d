// The step that a rate was measured of, where the user does not say all of it.
#pragma once

#include "models/laws/gpu_spec.h"
#include "models/laws/published_rate.h"

namespace rightsize {

// It ran: where whole parameters have no room on such a GPU, blocks run again or not, they were
// shared; and where all activations have none, if nobody says what became of them, blocks were run
// again.
[[nodiscard]] MeasuredStep step_as_run(const MeasuredRate& rate, const GpuSpec& usual);

// Whether it says what one such GPU does with every layer: of stages a step that it had room for
// alone. What stages were given in a step, or how many there were, nobody says.
[[nodiscard]] bool is_of_whole_network(const MeasuredRate& rate, const GpuSpec& usual);

// Device memory that such a step takes at the least, however a transformer's training spares it:
// with parameters shared by very many ranks, and blocks run again. Throws UnknownNetwork or
// NetworkError.
[[nodiscard]] double least_step_bytes(const MeasuredRate& rate);

}  // namespace rightsize
