// An Explanation rendered: the tree, given against used, and what would change the answer.
#pragma once

#include <string>
#include <vector>

#include "advisor/explain/explanation.h"
#include "advisor/report/style.h"

namespace rightsize::report {

// "price: above $2.13/h take aws/p5.4xlarge instead": a sentence for each number that moved.
[[nodiscard]] std::vector<std::string> flip_sentences(const Explanation& explanation);

[[nodiscard]] std::string explanation_text(const Explanation& explanation, const Style& style);
[[nodiscard]] std::string explanation_markdown(const Explanation& explanation);

}  // namespace rightsize::report
