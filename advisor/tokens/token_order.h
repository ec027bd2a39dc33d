// Which of two fleets that write tokens is the better by an objective, as advise ranks them, and
// why no number of machines writes them in time.
#pragma once

#include <string>

#include "advisor/query/objective.h"
#include "advisor/tokens/token_service.h"

namespace rightsize {

// What an objective's time is: of 99 of 100 sequences, from arrival to the last token.
[[nodiscard]] double sequence_p99_s(const TokenFleet& fleet);

// The same with the ends of its interval.
[[nodiscard]] Estimate sequence_time(const TokenFleet& fleet, double confidence, Source source);

// Of two ways to share one machine's GPUs, whether the first is the better: it can be in time at
// all, then the lower score by the objective (a fleet costs by its machines), then more sequences a
// machine.
[[nodiscard]] bool writes_better(const TokenFleet& a,
                                 const TokenFleet& b,
                                 const Objective& objective);

// Whether it is not for want of speed that no number of them is enough: more machines than are
// counted would be.
[[nodiscard]] bool takes_too_many(const TokenService& service, const TokenFleet& fleet);

// Why no number is enough, a rejection's words; "" where some number is.
[[nodiscard]] std::string why_none_writes(const TokenService& service, const TokenFleet& fleet);

}  // namespace rightsize
