#include "pricing/import/csv.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "pricing/money.h"

namespace rightsize {
namespace {

// Excel begins a file with a byte-order mark.
std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view file, int line = 1)
      : text_(text), file_(file), line_(line) {
    if (line == 1) {
      text_ = without_mark(text_);
    }
  }

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] int line() const { return line_; }

  std::vector<std::string> row() {
    std::vector<std::string> fields;
    while (true) {
      fields.push_back(field());
      if (at_end()) {
        return fields;
      }
      const char c = text_[at_++];
      if (c == ',') {
        continue;
      }
      if (c != '\r' && c != '\n') {
        throw PricingError(fmt::format(
            "{}:{}: \"{}\" behind a closed quote: expected a comma or the end", file_, line_, c));
      }
      if (c == '\r' && !at_end() && text_[at_] == '\n') {
        ++at_;
      }
      ++line_;
      return fields;
    }
  }

 private:
  std::string field() {
    if (!at_end() && text_[at_] == '"') {
      return quoted();
    }
    const auto begin = at_;
    while (!at_end() && text_[at_] != ',' && text_[at_] != '\n' && text_[at_] != '\r') {
      ++at_;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string quoted() {
    const int opened = line_;
    std::string value;
    for (++at_; !at_end(); ++at_) {
      const char c = text_[at_];
      if (c != '"') {
        line_ += c == '\n' ? 1 : 0;
        value += c;
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        value += '"';
        ++at_;
      } else {
        ++at_;
        return value;
      }
    }
    throw PricingError(fmt::format("{}:{}: a quoted field is not closed", file_, opened));
  }

  std::string_view text_;
  std::string_view file_;
  std::size_t at_ = 0;
  int line_;
};

constexpr std::size_t max_row_bytes = 1UL << 20;

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

}  // namespace

int CsvTable::column(std::string_view name) const {
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (same_word(header[i], name)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

CsvTable parse_csv(std::string_view text, std::string_view file) {
  Reader reader(text, file);
  CsvTable table;
  if (reader.at_end()) {
    throw PricingError(fmt::format("{}: the file is empty, expected a header line", file));
  }
  table.header = reader.row();
  while (!reader.at_end()) {
    const int line = reader.line();
    auto fields = reader.row();
    if (fields.size() == 1 && fields[0].empty()) {
      continue;  // a blank line
    }
    if (fields.size() != table.header.size()) {
      throw PricingError(fmt::format(
          "{}:{}: {} fields, the header has {}", file, line, fields.size(), table.header.size()));
    }
    table.rows.push_back({line, std::move(fields)});
  }
  return table;
}

namespace {

// "\r\n" is one.
int line_breaks(std::string_view text) {
  int count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool lone_return = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
    count += text[i] == '\n' || lone_return ? 1 : 0;
  }
  return count;
}

// Whether a line break behind `text` would be inside a field. As for Reader, only a quote at a
// field's begin opens it: the inches of `rack 19" left` do not.
bool ends_in_quotes(std::string_view text) {
  bool quoted = false;
  bool at_begin = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text.substr(i).starts_with("\"\"")) {
      ++i;
      continue;
    }
    if (text[i] == '"' && (quoted || at_begin)) {
      quoted = !quoted;
    }
    at_begin = !quoted && (text[i] == ',' || text[i] == '\n' || text[i] == '\r');
  }
  return quoted;
}

}  // namespace

bool CsvStream::next_line(std::string& line) {
  const auto before = line.size();
  for (int c = in_.get(); c != std::istream::traits_type::eof(); c = in_.get()) {
    line += static_cast<char>(c);
    if (line.size() > max_row_bytes) {
      throw PricingError(
          fmt::format("{}:{}: a row of more than 1 MiB: is a quote not closed, or is this no CSV?",
                      file_,
                      line_));
    }
    if (c == '\n' || (c == '\r' && in_.peek() != '\n')) {  // Excel's "CSV (Macintosh)"
      break;
    }
  }
  return line.size() > before;
}

bool CsvStream::next(CsvTable::Row& row) {
  std::string text;
  while (next_line(text)) {
    while (ends_in_quotes(line_ == 1 ? without_mark(text) : text) && next_line(text)) {
    }
    Reader reader(text, file_, line_);
    row.line = line_;
    line_ += line_breaks(text);
    row.fields = reader.row();  // when it throws, the next row can be read all the same
    if (row.fields.size() > 1 || !row.fields[0].empty()) {
      return true;
    }
    text.clear();
  }
  return false;
}

}  // namespace rightsize
