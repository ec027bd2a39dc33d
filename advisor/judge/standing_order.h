// Which of two is better: of machines, and of the ways in which one machine does a job.
#pragma once

#include "advisor/judge/judge.h"

namespace rightsize {

// Satisfying first, then the lower score; of others the lesser miss (fiftieths), then the score.
[[nodiscard]] bool better(const Standing& a, const Standing& b);
[[nodiscard]] bool better(const Option& a, const Option& b);

// The same of one machine's disks, minibatches and numbers, but where all miss the limits: there a
// fiftieth nearer is worth half as much again, and what is nearer by nothing but rounding is worth
// nothing.
[[nodiscard]] bool better_way(const Standing& a, const Standing& b);
[[nodiscard]] bool better_way(const Option& a, const Option& b);

}  // namespace rightsize
