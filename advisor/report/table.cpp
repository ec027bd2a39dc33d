#include "advisor/report/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <boost/json.hpp>

#include "advisor/spreadsheet_text.h"

namespace rightsize::report {
namespace {

std::string padded(const std::string& cell, std::size_t width, Align align) {
  const std::string space(width - std::min(width, display_width(cell)), ' ');
  return align == Align::right ? space + cell : cell + space;
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string csv_field(const std::string& text) {
  const auto cell = as_text_cell(text);
  if (cell.find_first_of(",\"\n\r") == std::string::npos) {
    return cell;
  }
  std::string quoted = "\"";
  for (const char c : cell) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

std::string markdown_cell(const std::string& cell) {
  std::string escaped;
  for (const char c : cell) {
    escaped += c == '|' ? "\\|" : std::string(1, c);
  }
  return escaped;
}

constexpr std::size_t kept_always = 2;  // what a row is about

// Indices of the columns that fit into `limit`, in their order; all of them for 0.
std::vector<std::size_t> columns_that_fit(const std::vector<Column>& columns,
                                          const std::vector<std::size_t>& widths,
                                          std::size_t limit) {
  std::vector<std::size_t> shown(columns.size());
  std::iota(shown.begin(), shown.end(), 0);
  const auto total = [&] {
    std::size_t sum = shown.empty() ? 0 : 2 * (shown.size() - 1);
    for (const auto i : shown) {
      sum += widths[i];
    }
    return sum;
  };
  while (limit > 0 && shown.size() > kept_always && total() > limit) {
    auto least = shown.begin() + kept_always;
    for (auto at = least; at != shown.end(); ++at) {
      if (columns[*at].spare >= columns[*least].spare) {
        least = at;
      }
    }
    shown.erase(least);
  }
  return shown;
}

std::string left_out(const std::vector<Column>& columns, const std::vector<std::size_t>& shown) {
  std::string names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (std::find(shown.begin(), shown.end(), i) == shown.end()) {
      names += (names.empty() ? "" : ", ") + columns[i].title;
    }
  }
  return names.empty() ? "" : "  NOTE: too narrow for " + names + "\n";
}

// Columns on the right are numbers: "1,182" and "~1342" are one in JSON, an empty cell is null.
boost::json::value json_cell(const std::string& cell, Align align) {
  if (cell == "—" || (cell.empty() && align == Align::right)) {
    return nullptr;
  }
  if (align == Align::left) {
    return boost::json::value(cell);
  }
  std::string plain(cell, cell.starts_with('~') ? 1 : 0);
  std::erase(plain, ',');
  double number = 0;
  const auto end = plain.data() + plain.size();
  const auto [rest, error] = std::from_chars(plain.data(), end, number);
  if (error != std::errc() || rest != end || !std::isfinite(number)) {
    return boost::json::value(cell);
  }
  const bool whole = number == std::floor(number) && std::abs(number) < 1e15;
  return whole ? boost::json::value(static_cast<std::int64_t>(number)) : boost::json::value(number);
}

// A program's last words may be several lines; a cell has one.
std::string one_line(const std::string& cell) {
  std::string out;
  for (const char c : cell) {
    if (c != '\n') {
      out += c;
    } else if (!out.ends_with(" / ")) {
      out += " / ";
    }
  }
  return out;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

void Table::add(std::vector<std::string> cells) {
  if (cells.size() != columns_.size()) {
    throw std::logic_error("a table row has another number of cells than the table has columns");
  }
  std::transform(cells.begin(), cells.end(), cells.begin(), one_line);
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (const auto& column : columns_) {
    widths.push_back(display_width(column.title));
  }
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  return widths;
}

std::string Table::text(const Style& style) const {
  const auto wide = widths();
  const auto shown = columns_that_fit(columns_, wide, style.width);
  const auto line_of = [&](auto&& cell) {
    std::string line;
    for (const auto i : shown) {
      line += (i == shown.front() ? "" : "  ") + padded(cell(i), wide[i], columns_[i].align);
    }
    return trimmed(line);
  };
  std::string out = style.dim(line_of([&](std::size_t i) { return columns_[i].title; })) + "\n";
  for (const auto& row : rows_) {
    out += line_of([&](std::size_t i) { return row[i]; }) + "\n";
  }
  return out + left_out(columns_, shown);
}

std::string Table::markdown() const {
  std::string out = "|";
  std::string rule = "|";
  for (const auto& column : columns_) {
    out += " " + markdown_cell(column.title) + " |";
    rule += column.align == Align::right ? "--:|" : "---|";
  }
  out += "\n" + rule + "\n";
  for (const auto& row : rows_) {
    out += "|";
    for (const auto& cell : row) {
      out += " " + markdown_cell(cell) + " |";
    }
    out += "\n";
  }
  return out;
}

std::string Table::csv() const {
  std::string out;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    out += (i == 0 ? "" : ",") + csv_field(columns_[i].title);
  }
  out += "\r\n";
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += (i == 0 ? "" : ",") + csv_field(row[i]);
    }
    out += "\r\n";
  }
  return out;
}

std::string Table::json() const {
  boost::json::array list;
  for (const auto& row : rows_) {
    boost::json::object object;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      object[columns_[i].title] = json_cell(row[i], columns_[i].align);
    }
    list.push_back(std::move(object));
  }
  return boost::json::serialize(list) + "\n";
}

std::string rendered(const Table& table, std::string_view format, const Style& style) {
  return format == "csv"    ? table.csv()
         : format == "md"   ? table.markdown()
         : format == "json" ? table.json()
                            : table.text(style);
}

}  // namespace rightsize::report
