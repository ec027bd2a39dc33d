// The calibration tables' reader: a header line, no quotes, no commas inside a field.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rightsize {

struct TableRow {
  int line = 0;
  std::map<std::string, std::string, std::less<>> fields;

  // Throws ModelError naming the line and the field when it is missing or not a number; an empty
  // field is 0.
  [[nodiscard]] double number(std::string_view field) const;
  [[nodiscard]] const std::string& text(std::string_view field) const;
};

// Throws ModelError when a row has another number of fields than the header.
[[nodiscard]] std::vector<TableRow> parse_table(std::string_view csv, std::string_view name);

}  // namespace rightsize
