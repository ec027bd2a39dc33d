// How soon tokens can come at the soonest, of any number of machines.
#pragma once

#include "advisor/tokens/token_service.h"

namespace rightsize {

// Of each limit the least that some number of such servers keeps with the confidence, and at the
// slow end of the interval too: the limits where advise begins to take the machine. The other limit
// is as the service asks, or none where no number keeps to that one. A sequence of one token has no
// pace: its token_s is NaN. `interval_z` as in size_token_fleet().
[[nodiscard]] DecodeLimits least_limits(const TokenService& service,
                                        const TokenServer& server,
                                        double confidence,
                                        double interval_z);

}  // namespace rightsize
