// One row of a table with a header: fields by column name, an absent column reads as an empty
// field.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "pricing/import/csv.h"

namespace rightsize {

class CsvRow {
 public:
  // All three are borrowed.
  CsvRow(const CsvTable& table, const CsvTable::Row& row, std::string_view file)
      : table_(table), row_(row), file_(file) {}

  [[nodiscard]] int line() const { return row_.line; }
  [[nodiscard]] const std::string& text(std::string_view name) const;
  // nullopt when empty. Throws PricingError naming the place when it is not a number.
  [[nodiscard]] std::optional<double> number(std::string_view name) const;

 private:
  const CsvTable& table_;
  const CsvTable::Row& row_;
  std::string_view file_;
};

// Throws PricingError "file:line: there is no column ..." for the first that is missing, and for
// one of them that is there twice.
void require_columns(const CsvTable& table,
                     std::initializer_list<std::string_view> names,
                     std::string_view file,
                     int line = 1);

// Throws PricingError when the row has another number of fields than the header.
void require_width(const CsvTable& table, const CsvTable::Row& row, std::string_view file);

}  // namespace rightsize
