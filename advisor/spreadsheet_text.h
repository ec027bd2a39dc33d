// What spreadsheets write for CSV, as RFC 4180 has it; and what they read as more than text.
#pragma once

#include <string>
#include <string_view>

namespace rightsize {

// Half the world's spreadsheets put semicolons between fields, and a byte order mark before them:
// the same rows with commas. A header that has a comma is taken as it is.
[[nodiscard]] std::string as_commas(std::string_view text);

// A cell that a spreadsheet would compute, behind the apostrophe by which it takes it as text: what
// begins with = + - or @ and is no number, for names come from files of others ("CSV injection",
// OWASP). All else as it is, amounts such as "-1.5", "+12 %" or "-2.50 USD" too.
[[nodiscard]] std::string as_text_cell(const std::string& cell);

}  // namespace rightsize
