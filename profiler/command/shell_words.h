// A command line taken apart as a POSIX shell would: blanks separate words; single quotes, double
// quotes and backslashes keep them together. Nothing is expanded: $, *, | and > stay as they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rightsize {

// nullopt where a quote is not closed, or a backslash ends the text. shell_line() is the way back.
[[nodiscard]] std::optional<std::vector<std::string>> shell_words(std::string_view text);

}  // namespace rightsize
