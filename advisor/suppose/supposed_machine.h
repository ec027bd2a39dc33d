// An offer, a minibatch and speeds as somebody supposes them, for judging as if they were sold.
#pragma once

#include <string>
#include <vector>

#include "advisor/candidate/candidate.h"
#include "advisor/search.h"
#include "advisor/suppose/supposition.h"

namespace rightsize {

// `value` if it is above 0 and finite. Throws UsageError "key: NOW now, VALUE with ...".
[[nodiscard]] double positive(const std::string& key, double value, double now);

// What was assumed on the way, of the price above all, goes into `notes`. Throws UsageError.
[[nodiscard]] Offer supposed_offer(const Supposition& supposition,
                                   const Evidence& evidence,
                                   const Offer& now,
                                   std::vector<std::string>& notes);

// Throws UsageError for what is no whole number from 1 to a million.
[[nodiscard]] int supposed_batch(const Supposition& supposition, int now);

// A GPU that is `factor` as fast; on a machine without one the compute is the CPU's.
void suppose_speeds(const Supposition& supposition, Candidate& candidate);

}  // namespace rightsize
