// What a machine that is only described is to a language model that writes tokens: how its GPUs are
// best shared, what it answers in time, and how many of it the load takes. By the rules that
// advise's choice comes down to (TokenServers, size_token_fleet, writes_better): one question, one
// answer.
#pragma once

#include <string>
#include <vector>

#include "advisor/machine/configuration.h"
#include "models/laws/gpu_rate.h"

namespace rightsize {

struct TokenAnswer {
  std::string reason;  // why it cannot at all; empty when it can
  // What would do where it cannot, or is too slow in any number (token_way_out.h).
  std::vector<std::string> ways_out;
  TokenFleet fleet;  // as many as the load takes; of 0 machines: no number is in time
  // Sequences/s that one machine answers in time, by its speed and the laws of waiting; 0: none.
  Estimate each;
  TokenPoint full;  // of a replica of one that is asked for fleet.each_per_s, at expected times
  std::vector<std::string> notes;
};

// `asked` has tokens; the ways out are left to whoever asks. Throws UsageError where the network
// cannot write.
[[nodiscard]] TokenAnswer answer_tokens(const GpuRates& rates, const Configuration& asked);

// Why no number of them is in time, a sentence's end; "" where some number is.
[[nodiscard]] std::string too_slow(const TokenService& service, const TokenAnswer& answer);

}  // namespace rightsize
