// What spreadsheets write for CSV, as RFC 4180 has it.
#pragma once

#include <string>
#include <string_view>

namespace rightsize {

// Half the world's spreadsheets put semicolons between fields, and a byte order mark before them:
// the same rows with commas. A header that has a comma is taken as it is.
[[nodiscard]] std::string as_commas(std::string_view text);

}  // namespace rightsize
