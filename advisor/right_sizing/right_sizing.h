// Right-sizing: is the machine a job runs on today the one to rent? What could be halved without
// slowing the job is found by halving it and asking the judge again, not from utilisation.
//
// Move or Stay, one rule: move from a machine that misses the constraints, or that the chosen one
// is better than, by the objective, with more than 70 %; what search() marks "=" is stayed on
// (chance.h). The 90 % interval of the savings may hold a loss then: it is told beside the odds.
#pragma once

#include <string>

#include "advisor/recommendation.h"
#include "advisor/search.h"

namespace rightsize {

// `current` is as current_machine.h reads it, in the book of the answer's query; where no place is
// named, wherever it is sold for the least. Of a service "3 x g6.xlarge" are the machines that
// answer today (without a number as many as it takes). Throws UsageError for an instance that does
// not exist, and for a number of a job's.
[[nodiscard]] RightSizing right_size(const Recommendation& answer,
                                     const Evidence& evidence,
                                     const std::string& current);

// 0 under 1 %, 1 under 5 %, 2 under 15 %, 3 under 40 %, 4 above: the scale of AWS Compute
// Optimizer's performance risk, with a stated meaning.
[[nodiscard]] int risk_score(double p_missed);

}  // namespace rightsize
