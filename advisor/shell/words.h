// A line as a shell reads it: words between blanks, quotes and backslashes keep blanks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rightsize::shell {

// What shell_line() writes comes back. A comment (#) ends the line. Throws UsageError for a quote
// that is not closed.
[[nodiscard]] std::vector<std::string> split(std::string_view line);

// Digits only, and at least one.
[[nodiscard]] bool is_whole_number(std::string_view word);

}  // namespace rightsize::shell
