// What may follow on a command line that is being typed: for bash, zsh and fish, and for the shell
// of our own. Drawn from the table of commands and their options, so nothing can be forgotten.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisor/cli/command.h"

namespace rightsize::cli {

// A flag of a command as it is typed, and whether a value follows it.
struct Flag {
  std::string name;   // "--output"
  std::string brief;  // "-o"; empty where there is none
  bool takes_value = false;
};

// All flags of a command, as its --help lists them; none where there is no such command.
[[nodiscard]] std::vector<Flag> flags_of(std::string_view command);

// What the last word of `line` may become, in the order of the alphabet; `line` begins with the
// program's name and ends where the cursor is. Empty where nothing is known of what may follow.
[[nodiscard]] std::vector<std::string> completions_of(std::string_view line);

}  // namespace rightsize::cli
