// What a command was told, for the command that is named as the next one.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "advisor/cli/command.h"

namespace rightsize::cli {

// "--infra", "aws", "--deadline", "12h": the options as they were given, but for the job, for
// `left_out` and for those of how the answer is shown.
[[nodiscard]] std::vector<std::string> flags_again(const Values& values,
                                                   std::set<std::string> left_out);

}  // namespace rightsize::cli
