// What --help of a command shows: its flags under headings, as many as there are, in lines that fit
// a terminal.
#pragma once

#include <string>
#include <string_view>

#include "advisor/cli/command.h"

namespace rightsize::cli {

inline constexpr int help_columns = 98;

[[nodiscard]] std::string help_of(const Command& command, const Options& options);

// The heading that a flag of a command stands under; "Other" of one that has none.
[[nodiscard]] std::string_view heading_of(std::string_view command, std::string_view flag);

// `text` in lines of at most help_columns, those after the first `indent` columns in; a word
// that is longer breaks behind its commas. `taken` columns of the first line are there already.
[[nodiscard]] std::string help_lines(std::string_view text, std::size_t taken, std::size_t indent);

}  // namespace rightsize::cli
