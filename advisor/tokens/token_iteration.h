// What one iteration of a replica that writes tokens takes, and why: a part of explain()'s tree.
#pragma once

#include "advisor/explain/cause.h"
#include "advisor/tokens/token_service.h"

namespace rightsize {

[[nodiscard]] Cause token_iteration(const TokenFleet& fleet, double confidence);
// The same of any copy with so many sequences in flight.
[[nodiscard]] Cause token_iteration(const TokenServer& server, double sequences, double confidence);

// How many it has room for: `most`, of what is called `items` ("sequences").
[[nodiscard]] Cause room_for(const TokenServer& server, int most, const std::string& items);

// To the node of a prompt's time: how much of it pictures take, seen `prompts` times over and read
// as `tokens` of each; nothing where there are none.
void add_pictures(
    const TokenServer& server, int tokens, double prompts, double confidence, Cause& node);

// A time by the law of decoding, with its interval.
[[nodiscard]] Estimate token_time(const TokenServer& server, double seconds, double confidence);

}  // namespace rightsize
