// The fields of a run that answers requests (serve, qps, arrivals, max_batch, max_delay) put
// together.
#pragma once

#include <optional>
#include <string>

#include "profiler/campaign/fields.h"

namespace rightsize {

// Makes `cell` a server where it is to be one; files of arrivals are looked for in `folder`.
// Returns what does not go together, naming the field to change.
[[nodiscard]] std::optional<std::string> complete_serving(Cell& cell, const std::string& folder);

}  // namespace rightsize
