// The time of a minibatch from the rates at the sizes that it goes by: what fits decides which.
#pragma once

#include <functional>
#include <optional>

#include "models/laws/minibatch_time.h"

namespace rightsize {

// The largest minibatch whose time the laws of serving have: what a service may be asked to take.
constexpr int most_requests_in_minibatch = 65'536;

// Requests/s of one replica in minibatches of a size; nullopt: so many do not fit.
using MinibatchRate = std::function<std::optional<double>(int size)>;

// t(b) = b / rate(b) at the sizes() of `limit`, which is at most most_requests_in_minibatch. Where
// the last does not fit, the limit itself takes its place; nullopt where any other does not. The
// rates are asked for in rising order, until one is missing that has to be there. Throws
// std::invalid_argument above that limit.
[[nodiscard]] std::optional<MinibatchTime> minibatch_time_of(int limit,
                                                             const MinibatchRate& rate_of);

}  // namespace rightsize
