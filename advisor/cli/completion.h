// What may follow on a command line that is being typed: for bash, zsh and fish, and for the shell
// of our own. Drawn from the table of commands and their options, so nothing can be forgotten.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisor/cli/command.h"

namespace rightsize::cli {

// What the last word of `line` may become, in the order of the alphabet; `line` begins with the
// program's name and ends where the cursor is. Empty where nothing is known of what may follow.
[[nodiscard]] std::vector<std::string> completions_of(std::string_view line);

}  // namespace rightsize::cli
