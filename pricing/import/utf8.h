// Whether bytes are text in UTF-8 (RFC 3629): what is not would make every JSON, YAML and HTML that
// quotes it unreadable.
#pragma once

#include <string_view>

namespace rightsize {

[[nodiscard]] bool is_utf8(std::string_view text);
// From 1; 0 where all lines are.
[[nodiscard]] int first_line_not_utf8(std::string_view text);

}  // namespace rightsize
