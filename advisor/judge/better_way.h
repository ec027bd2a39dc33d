// Of the ways in which one machine does a job - disks, minibatches, numbers of machines - the one
// that is taken.
#pragma once

#include "advisor/judge/judge.h"

namespace rightsize {

// As better(), but for ways that all miss the limits: there a fiftieth nearer is worth half as much
// again, and what is nearer by nothing but rounding is worth nothing.
[[nodiscard]] bool better_way(const Standing& a, const Standing& b);
[[nodiscard]] bool better_way(const Option& a, const Option& b);

}  // namespace rightsize
