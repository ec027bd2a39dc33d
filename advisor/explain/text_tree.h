// The part of explain()'s tree below the GPUs that work through a list of texts: from texts a
// second down to the bytes and FLOPs of an iteration (models/laws/decode.h).
#pragma once

#include "advisor/explain/cause.h"
#include "advisor/query/query.h"
#include "advisor/recommendation.h"
#include "advisor/tokens/token_service.h"

namespace rightsize {

// `rate` in texts/s, of all copies of the option; `server` is the machine's.
[[nodiscard]] Cause texts_cause(const Query& query,
                                const Option& option,
                                const TokenServer& server,
                                const Estimate& rate);

}  // namespace rightsize
