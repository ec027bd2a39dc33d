#include "advisor/spreadsheet_text.h"

#include <charconv>

namespace rightsize {

namespace {

// "-1.5", "+1,234", "-12 %", "-2.50 USD": a sign, a figure, and what it is of.
bool is_amount(std::string_view cell) {
  cell.remove_prefix(1);
  double value = 0;  // read for where it ends: "1e-05" has a sign of its own
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || cell.find_first_of("0123456789.") != 0) {
    return false;
  }
  cell.remove_prefix(static_cast<std::size_t>(end - cell.data()));
  return cell.find_first_of("=+-*/^&|!'\"(){}<>@:;") == std::string_view::npos;
}

}  // namespace

std::string as_text_cell(const std::string& cell) {
  if (cell.size() < 2) {
    return cell;  // "=" marks a tie, and computes nothing
  }
  const bool computed = cell.starts_with('=') || cell.starts_with('@') || cell.starts_with('\t') ||
                        cell.starts_with('\r');
  const bool is_signed = cell[0] == '+' || cell[0] == '-';
  return computed || (is_signed && !is_amount(cell)) ? "'" + cell : cell;
}

std::string as_commas(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  text.remove_prefix(text.starts_with(mark) ? mark.size() : 0);
  const auto header = text.substr(0, text.find('\n'));
  if (header.find(',') != std::string_view::npos || header.find(';') == std::string_view::npos) {
    return std::string(text);
  }
  std::string out;
  std::string field;
  bool quoted = false;
  const auto flush = [&] {
    const bool bare_comma = field.find(',') != std::string::npos && !field.starts_with('"');
    out += bare_comma ? "\"" + field + "\"" : field;
    field.clear();
  };
  for (const char c : text) {
    quoted = quoted != (c == '"');
    if (!quoted && (c == ';' || c == '\n')) {
      flush();
      out += c == ';' ? ',' : c;
    } else {
      field += c;
    }
  }
  flush();
  return out;
}

}  // namespace rightsize
