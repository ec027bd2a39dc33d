// From a server's windows to what its callers saw. Pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "profiler/measure/window.h"
#include "profiler/record.h"

namespace rightsize {

// Of the windows after the warm-up, which are all of one server's; at least one.
[[nodiscard]] Served served_in(std::span<const RunWindow> windows);

// The median has no meaning for rates that go up and down with the callers: the mean of all, with
// its interval from the spread of the windows (Student's t would add a tenth for a dozen of them;
// Poisson arrivals are independent from window to window).
[[nodiscard]] Measured answered_rate(std::span<const RunWindow> windows);

// Fewer say nothing of the slowest hundredth.
inline constexpr std::uint64_t least_requests = 100;

}  // namespace rightsize
