#include "advisor/spreadsheet_text.h"

namespace rightsize {

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
