// Mean and variance of the time a job takes on machines that may be taken away, by recursion over
// the segments left at the start of a machine's life (spot.h).
#pragma once

#include "models/laws/spot.h"

namespace rightsize {

// So many segments are walked one by one; a job of more goes on as its last ones did, within 1 %.
constexpr int most_walked_segments = 256;

// Of the time, seconds.
struct SpotMoments {
  double time = 0;     // the mean
  double squared = 0;  // the mean of the square
  double interruptions = 0;
};

// A job of `segments` that take `length_s` each, their checkpoints included. Starting its first
// machine costs what it costs on one that stays: not counted.
[[nodiscard]] SpotMoments spot_moments(const SpotTerms& terms, double length_s, int segments);

}  // namespace rightsize
