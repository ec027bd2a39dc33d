// In how many equal parts a job is best cut on machines that may be taken away: each part ends by
// writing a checkpoint (spot.h has the law and its references).
#pragma once

#include "models/laws/spot.h"

namespace rightsize {

struct SpotParts {
  SpotTerms terms;   // without a longest life that never acts
  double count = 1;  // a whole number from 1 to most_spot_parts
};

// By `terms.interval_s` where it is given. Else by Daly's interval, unless machines end before the
// job does: then the best of the counts that fill one, two, three ... parts into a life, the
// likeliest of them rated by the exact mean (spot_moments.h).
[[nodiscard]] SpotParts spot_parts(const SpotTerms& terms, double useful_s);

// The longest that a life works between its checkpoints, seconds; the first one need not restart.
[[nodiscard]] double working_life_s(const SpotTerms& terms);

}  // namespace rightsize
