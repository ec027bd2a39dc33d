// The flags of the commands, read from what the commands themselves parse: for whoever completes,
// keeps or takes them from elsewhere than a command line.
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
  bool has_place = false;  // is given by position, as the job file
};

// The command that users see under this name; null where there is none.
[[nodiscard]] const Command* visible_command(std::string_view name);

// All options of a command, in the order of its --help; none where there is no such command.
[[nodiscard]] std::vector<Flag> options_of(std::string_view command);

// Those that are typed with their names.
[[nodiscard]] std::vector<Flag> flags_of(std::string_view command);

}  // namespace rightsize::cli
