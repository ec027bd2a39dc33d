// Rows of a CSV file as Configurations: one question a row, columns in any order, read generously
// (advisor/query/words.h). A cell that cannot be read spoils its row, not the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisor/machine/configuration.h"

namespace rightsize {

struct BatchRow {
  int line = 0;
  Configuration asked;
  std::string mistake;  // "rows.csv:3:7: batch = \"abc\": expected ...": the row cannot be asked
  std::vector<std::string> cells;  // as they were, all columns
};

// A column that is not read, and that looks like one which is.
struct MistypedColumn {
  std::string name;   // as it is in the file
  std::string meant;  // the documented name, or the nearest other one
};

struct BatchFile {
  std::vector<std::string> header;
  std::vector<BatchRow> rows;
  std::vector<MistypedColumn> mistyped;  // carried through as they are, like any that is not read
};

// Throws UsageError naming file, line and column of what is not such a table.
[[nodiscard]] BatchFile parse_batch_file(std::string_view text, const std::string& file);

}  // namespace rightsize
