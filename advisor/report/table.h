// One table, many forms: aligned text, Markdown, CSV, or the names alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advisor/report/style.h"

namespace rightsize::report {

enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::left;
  int spare = 0;  // the higher, the earlier it is left out on a narrow terminal; 0: by place
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as columns. Throws std::logic_error otherwise: a bug, not a user's mistake.
  void add(std::vector<std::string> cells);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<std::vector<std::string>>& rows() const { return rows_; }

  // Where style.width is too narrow, columns are left out, those that can be spared first and then
  // the last ones, but never the first two; a line below names them.
  [[nodiscard]] std::string text(const Style& style = {}) const;
  [[nodiscard]] std::string markdown() const;
  [[nodiscard]] std::string csv() const;  // RFC 4180, cells as as_text_cell() has them
  // An array of objects, a cell per column title; for listings that have no document of their own.
  [[nodiscard]] std::string json() const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// The table in the form of -o: "csv", "md", "json", anything else as text.
[[nodiscard]] std::string rendered(const Table& table, std::string_view format, const Style& style);

// Columns a terminal uses for `text`: UTF-8 code points, of which ours are one column wide.
[[nodiscard]] std::size_t display_width(std::string_view text);

}  // namespace rightsize::report
