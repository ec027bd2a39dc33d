// The step that a rate was measured of, where the user does not say all of it.
#pragma once

#include "models/laws/gpu_spec.h"
#include "models/laws/published_rate.h"

namespace rightsize {

// Whether blocks were run again, if that was not said: it ran, so where all activations have no
// room on `gpu` they were not kept. Parameters were shared if the job says so, and if not even
// recomputation has room without.
[[nodiscard]] MeasuredStep step_as_run(const MeasuredRate& rate, const GpuSpec& gpu);

}  // namespace rightsize
