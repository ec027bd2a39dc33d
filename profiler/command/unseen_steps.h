// What to tell the user whose program works while nobody sees a step of it. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "profiler/command/user_command.h"

namespace rightsize {

// What there was to see in the place of a step.
struct ShownInstead {
  std::string_view printed;  // the end of what the program printed
  bool file_exists = true;   // of a rule that names one
};

// "no line that it printed matched --steps regex:X; the last lines were "...", "..."; a line such
// as "step 1" would be a step", or what the rule waited for instead, and what to try.
[[nodiscard]] std::string unseen_steps(const StepRule& rule, const ShownInstead& shown);
// The same after a look at the file, where the rule names one.
[[nodiscard]] std::string unseen_steps(const StepRule& rule, std::string_view printed);

// Whether the reason of a run that failed is of the above.
[[nodiscard]] bool saw_no_step(std::string_view reason);

// The last line of `text` that is not blank; at most 120 characters of it.
[[nodiscard]] std::string last_line(std::string_view text);

}  // namespace rightsize
