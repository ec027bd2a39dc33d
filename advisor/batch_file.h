// Rows of a CSV file as Configurations: one question a row, columns in any order, read generously
// (advisor/words.h). A cell that cannot be read spoils its row, not the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisor/configuration.h"

namespace rightsize {

struct BatchRow {
  int line = 0;
  Configuration asked;
  std::string mistake;  // "rows.csv:3:7: batch = \"abc\": expected ...": the row cannot be asked
  std::vector<std::string> cells;  // as they were, all columns
};

struct BatchFile {
  std::vector<std::string> header;
  std::vector<BatchRow> rows;
};

// Throws UsageError naming file, line and column of what is not such a table.
[[nodiscard]] BatchFile parse_batch_file(std::string_view text, const std::string& file);

// The columns that are read, a line each, for --help.
[[nodiscard]] std::string batch_columns_help();

}  // namespace rightsize
