// What explain says of a language model that writes tokens, in sentences.
#pragma once

#include <string>
#include <vector>

#include "advisor/explain/explanation.h"

namespace rightsize::report {

// All require explanation.tokens.

// "2 of it, ~$2,600 a month, ...": what the option costs and does.
[[nodiscard]] std::string token_verdict(const Explanation& explanation);
// Where this very instance ends, whatever the others do.
[[nodiscard]] std::vector<std::string> token_limit_sentences(const Explanation& explanation);
// One machine fewer or more.
[[nodiscard]] std::vector<std::string> token_machine_sentences(const Explanation& explanation);
// Other GPUs a replica, other weights, other limits.
[[nodiscard]] std::vector<std::string> token_step_sentences(const Explanation& explanation);
// A machine with more or fewer of the same GPU.
[[nodiscard]] std::string token_neighbour(const Neighbour& row);

}  // namespace rightsize::report
