// RFC 4180 reader: quotes, commas and line breaks inside quotes; columns by header name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rightsize {

struct CsvTable {
  std::vector<std::string> header;
  struct Row {
    int line = 0;  // of its first character, from 1
    std::vector<std::string> fields;
  };
  std::vector<Row> rows;

  // Column of `name`, compared without case; -1 when there is none.
  [[nodiscard]] int column(std::string_view name) const;
};

// Throws PricingError naming `file` and the line of an unclosed quote or a row that has another
// number of fields than the header.
[[nodiscard]] CsvTable parse_csv(std::string_view text, std::string_view file);

}  // namespace rightsize
