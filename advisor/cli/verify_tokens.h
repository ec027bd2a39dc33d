// What verify says of jobs that write tokens: they are written as fast as a GPU's memory is read,
// and nothing that could be limited here shows that. What to measure instead, with what to expect.
#pragma once

#include "advisor/recommendation.h"

namespace rightsize::cli {

// Of a service; of texts that are worked through. Both throw UsageError.
[[noreturn]] void refuse_tokens(const Query& query, const Option& option);
[[noreturn]] void refuse_texts(const Query& query, const Option& option);

}  // namespace rightsize::cli
