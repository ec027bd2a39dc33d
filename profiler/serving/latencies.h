// From a server's windows to what its callers saw. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "profiler/measure/window.h"
#include "profiler/record.h"

namespace rightsize {

// Of the windows after the warm-up, which are all of one server's; at least one. `group_size`: how
// many requests come together on average (group_size_of); nullopt: the windows tell, as for a file.
[[nodiscard]] Served served_in(std::span<const RunWindow> windows,
                               std::optional<double> group_size);

// Items over time, where the median of the windows has no meaning: for rates that go up and down
// with the callers, or with a loader that reads ahead. The interval is from the spread of the
// windows, as if they were independent (Student's t would add a tenth for a dozen of them).
[[nodiscard]] Measured mean_rate(std::span<const RunWindow> windows);

// Fewer say nothing of the slowest hundredth.
inline constexpr std::uint64_t least_requests = 100;

}  // namespace rightsize
