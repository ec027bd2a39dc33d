// A long job on machines that may be taken away: checkpoints, interruptions at a constant hazard, a
// longest life (24 hours of a preemptible machine), restarts. Useful work is cut into equal
// segments, each ended by writing a checkpoint; an interruption loses the segment under way.
//
// The interval is Daly's, "A higher order estimate of the optimum checkpoint interval for restart
// dumps", Future Generation Computer Systems 22 (2006), eq. 37, of which Young's sqrt(2 C / h),
// "A first order approximation to the optimum checkpoint interval", CACM 17 (1974), is the first
// term; where machines end before the job does, equal parts that fill a longest life well, chosen
// by the exact mean (spot_interval.h). Mean and variance of the time are exact, by recursion over
// the segments left at the start of a machine's life, for up to 256 of them, and continued from
// there (within 1 %); without a longest life the mean is Daly's eq. 13. Quantiles: no interruption
// as an atom, else a gamma of the same moments, by Wilson & Hilferty; simulate/spot checks them.
#pragma once

#include "kernels/network.h"

namespace rightsize {

// A job is cut into so many parts at most, however short an interval is asked for.
constexpr double most_spot_parts = 1e6;

struct SpotTerms {
  double interruptions_per_hour = 0;  // the hazard; >= 0
  double checkpoint_s = 0;            // to write one, the job stands
  double restart_s = 0;               // from a new machine's start until it works again; billed
  double longest_life_h = 0;          // the provider takes it away then; 0: no such rule
  double interval_s = 0;              // of useful work between checkpoints; 0: the best one
};

struct SpotTime {
  bool possible = false;  // false: no machine lives long enough to finish a segment
  double interval_s = 0;  // as used: the job in equal parts
  double mean_h = 0;      // on rented machines, restarts and lost work included
  double deviation_h = 0;
  double p50_h = 0;
  double p90_h = 0;
  double interruptions = 0;   // mean number
  double chance_of_none = 1;  // of an uninterrupted run
  double least_h = 0;         // the time of that
  double useful_h = 0;        // the work asked for
  SpotTerms terms;            // as asked for
};

[[nodiscard]] double young_interval_s(double checkpoint_s, double interruptions_per_hour);
[[nodiscard]] double daly_interval_s(double checkpoint_s, double interruptions_per_hour);

// `useful_h` > 0 hours of work on a machine that stays.
[[nodiscard]] SpotTime spot_time(const SpotTerms& terms, double useful_h);

// Its mean alone, hours, with a fraction of the work; infinity where it is not possible.
[[nodiscard]] double spot_mean_h(const SpotTerms& terms, double useful_h);

// Trained parameters and the optimizer's moments as training keeps them (kernels/training_state.h),
// as frameworks save them.
[[nodiscard]] double checkpoint_bytes(const Network& network);

}  // namespace rightsize
