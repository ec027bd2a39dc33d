// The longest request that a server is told to take.
#pragma once

#include <string>
#include <string_view>

#include "advisor/query/query.h"

namespace rightsize {

struct LongestRequest {
  int prompt_tokens = 0;  // with its pictures'
  int tokens = 0;         // in all
};

// All are as long, or 999 of 1000 prompts and outputs are no longer; no longer than the network
// takes.
[[nodiscard]] LongestRequest longest_request(const TokenService& service, std::string_view network);

// Whether a server of the network takes sequences of so many tokens.
[[nodiscard]] bool takes_sequence(std::string_view network, int tokens);

// A comment of bash on what `said_by`, a flag, says.
[[nodiscard]] std::string longest_request_words(const Query& query, std::string_view said_by);

}  // namespace rightsize
