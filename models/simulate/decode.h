// Replicas of a language model played iteration by iteration: sequences, or bursts of a geometric
// number of them, come by chance and go to
// the replicas in turn; who came is let in while there is room for its caches, the prompts let in
// are computed at the head of the iteration, which reads experts once for all, and every sequence
// in flight gets a token at its end. Lengths are drawn where the load says how they spread, or from
// those that were seen. Times by laws/decode.h, of the caches' mean length; what is played is the
// queue. A front end that gave each to the replica with the fewest would have those of a length
// start together.
#pragma once

#include <cstdint>
#include <vector>

#include "models/laws/decode_latency.h"

namespace rightsize {

struct DecodeSimulationOptions {
  int sequences = 10'000;  // that come; a tenth before them is not counted
  std::uint64_t seed = 1;
  // Of prompts and of outputs, each drawn evenly, instead of those that the load says; in tokens.
  std::vector<double> prompts{};
  std::vector<double> outputs{};
};

// Seconds, over the sequences; the time between tokens is each sequence's own mean, and not a
// number where one token is written.
struct PlayedDecode {
  double sequences_in_flight = 0;  // of a replica, mean over time
  double first_token_p50_s = 0;
  double first_token_p95_s = 0;
  double first_token_p99_s = 0;
  double token_p50_s = 0;
  double token_p95_s = 0;
  double token_p99_s = 0;
};

// Requires load.sequences_per_s > 0, of all replicas together, room for a sequence, and a load
// below saturation: beyond it the queue grows as long as it is played.
[[nodiscard]] PlayedDecode simulate_decode(const DecodeReplicas& replicas,
                                           const DecodeLoad& load,
                                           const DecodeSimulationOptions& options = {});

}  // namespace rightsize
