// Rent or buy, in sentences.
#pragma once

#include <string>
#include <vector>

#include "advisor/explain/explanation.h"

namespace rightsize::report {

// None where the explanation is of no machine of one's own.
[[nodiscard]] std::vector<std::string> break_even_sentences(const Explanation& explanation);

}  // namespace rightsize::report
