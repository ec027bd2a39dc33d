// The limits of a language model that writes tokens, as they are said on the command line: read,
// and named again in hints.
#pragma once

#include <string>

#include "models/laws/decode_latency.h"

namespace rightsize {

// "ttft=1s,tpot=50ms", either or both, into `limits`: of 99 of 100 the time to the first token and
// from one to the next. Throws UsageError naming `what`.
void parse_token_slo(const std::string& text, const std::string& what, DecodeLimits& limits);

// "ttft=1.2s,tpot=14ms": of those that are set.
[[nodiscard]] std::string token_slo_words(const DecodeLimits& limits);

// Which limits are said by flags of their own, --ttft and --tpot, and not by --slo.
struct OwnLimitFlags {
  bool first_token = false;
  bool token = false;
};

// "--ttft 1.2s --tpot 14ms", "--slo ttft=1.2s,tpot=14ms" or one of each, of those that are set: a
// limit that was said by its own flag is named by it, for the same in --slo would say it twice.
[[nodiscard]] std::string token_limit_flags(const DecodeLimits& limits, const OwnLimitFlags& own);

// "1.5s", "20ms", as a flag takes it; no digit less, so that a limit nobody widened comes back as
// it was.
[[nodiscard]] std::string limit_words(double seconds);

}  // namespace rightsize
