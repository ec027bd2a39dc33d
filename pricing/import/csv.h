// RFC 4180 reader: quotes, commas and line breaks inside quotes; columns by header name.
#pragma once

#include <istream>
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

// The rows of a file too large to hold, one at a time, each with as many fields as it has.
class CsvStream {
 public:
  CsvStream(std::istream& in, std::string_view file) : in_(in), file_(file) {}

  // False at the end of the file; blank lines are skipped. Throws PricingError "file:line: ..." on
  // an unclosed quote and on a row of more than 1 MiB.
  bool next(CsvTable::Row& row);

 private:
  bool next_line(std::string& line);

  std::istream& in_;
  std::string_view file_;
  int line_ = 1;
};

}  // namespace rightsize
