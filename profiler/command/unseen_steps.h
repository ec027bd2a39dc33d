// What to tell the user whose program works while nobody sees a step of it. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "profiler/command/user_command.h"

namespace rightsize {

// "no line that it printed matched regex:X (--steps); the last line was \"...\"", or what the rule
// waited for instead, and what to try. `printed` is the end of what the program printed.
[[nodiscard]] std::string unseen_steps(const StepRule& rule, std::string_view printed);

// The last line of `text` that is not blank; at most 120 characters of it.
[[nodiscard]] std::string last_line(std::string_view text);

}  // namespace rightsize
