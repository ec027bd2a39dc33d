#include "pricing/import/csv_row.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "pricing/import/near_column.h"
#include "pricing/money.h"

namespace rightsize {

const std::string& CsvRow::text(std::string_view name) const {
  static const std::string empty;
  const int column = table_.column(name);
  return column < 0 || static_cast<std::size_t>(column) >= row_.fields.size()
             ? empty
             : row_.fields[static_cast<std::size_t>(column)];
}

std::optional<double> CsvRow::number(std::string_view name) const {
  const auto& value = text(name);
  if (value.empty()) {
    return std::nullopt;
  }
  double parsed = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  if (error != std::errc{} || end != value.data() + value.size() || !std::isfinite(parsed)) {
    throw PricingError(
        fmt::format("{}:{}: {} = \"{}\": expected a number", file_, row_.line, name, value));
  }
  return parsed;
}

void require_columns(const CsvTable& table,
                     std::initializer_list<std::string_view> names,
                     std::string_view file,
                     int line) {
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const auto& name = table.header[i];
    const bool read = std::any_of(names.begin(), names.end(), [&](std::string_view wanted) {
      return table.column(wanted) >= 0 && table.column(wanted) == table.column(name);
    });
    if (read && table.column(name) != static_cast<int>(i)) {
      throw PricingError(
          fmt::format("{}:{}: column \"{}\" is there twice; leave one out", file, line, name));
    }
  }
  for (const auto name : names) {
    if (table.column(name) < 0) {
      const auto separated_by = [&](char separator) {
        return table.header.size() == 1 && table.header[0].find(separator) != std::string::npos;
      };
      const std::vector<std::string_view> there(table.header.begin(), table.header.end());
      const auto near = near_column(name, there);
      throw PricingError(
          fmt::format("{}:{}: there is no column \"{}\"{}",
                      file,
                      line,
                      name,
                      separated_by(';')    ? "; its fields are separated by semicolons: use commas"
                      : separated_by('\t') ? "; its fields are separated by tabs: use commas"
                      : near.empty()       ? ""
                                     : fmt::format("; \"{}\" is there: is that meant?", near)));
    }
  }
}

void require_width(const CsvTable& table, const CsvTable::Row& row, std::string_view file) {
  if (row.fields.size() != table.header.size()) {
    throw PricingError(fmt::format("{}:{}: {} fields, the header has {}",
                                   file,
                                   row.line,
                                   row.fields.size(),
                                   table.header.size()));
  }
}

}  // namespace rightsize
