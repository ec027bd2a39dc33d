// How much work a number of threads get done per second.
#pragma once

#include <functional>

#include "profiler/record.h"

namespace rightsize {

// Does a little work and returns how much it was; called by one thread at a time. Must not throw.
using Chore = std::function<double()>;

// `rounds` rounds of at least `round_s` seconds, `threads` threads at once. The first round warms
// up and does not count.
[[nodiscard]] Measured rate_of(int threads,
                               double round_s,
                               int rounds,
                               const std::function<Chore(int thread)>& make_chore);

}  // namespace rightsize
