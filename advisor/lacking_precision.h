// What to know of GPUs that lack the precision which was asked for, and compute in another instead.
#pragma once

#include <string>

#include "advisor/recommendation.h"

namespace rightsize {

// "the T4 has no bf16: it computes in fp16", "" where it has what was asked for.
[[nodiscard]] std::string lacking_precision(Precision asked,
                                            Precision computed,
                                            const std::string& gpu);

// The same of an option; of training in fp16 for bf16 also what that asks of the program. fp16 is
// what jobs have that say nothing: GPUs that lack it are then no surprise, and not named.
[[nodiscard]] std::string lacking_precision(const Query& query, const Option& option);

// Adds to the warnings of an answer that chose which GPUs lack the precision: of the chosen one, of
// those that cannot be told apart from it, and of the one that is much sooner done.
void warn_of_lacking_precision(Recommendation& answer);

}  // namespace rightsize
