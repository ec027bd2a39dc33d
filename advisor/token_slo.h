// The limits of a language model that writes tokens, as they are said on the command line.
#pragma once

#include <string>

#include "models/laws/decode_latency.h"

namespace rightsize {

// "ttft=1s,tpot=50ms", either or both, into `limits`: of 99 of 100 the time to the first token and
// from one to the next. Throws UsageError naming `what`.
void parse_token_slo(const std::string& text, const std::string& what, DecodeLimits& limits);

}  // namespace rightsize
