// Which option of an answer --option means: the N-th, as advise counts them, or a machine by name.
#pragma once

#include <string>

#include "advisor/recommendation.h"

namespace rightsize::cli {

// Of so many --option can choose: all, as advise --max-results 0 shows them.
inline constexpr std::size_t every_option = 1'000'000;

// "2", or "p5.48xlarge", "aws/p5.48xlarge", "aws/us-east-1/p5.48xlarge" or
// "aws/p5.48xlarge/us-east-1", with its CPU ("@Skylake") or market ("[Spot]") behind where they
// tell two apart. `answer` holds every option. Throws UsageError for a number beyond them, for a
// name that none has, and, with their names, for one that several have.
[[nodiscard]] const Option& option_meant(const Recommendation& answer, const std::string& text);

}  // namespace rightsize::cli
