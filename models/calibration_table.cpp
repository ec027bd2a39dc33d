#include "models/calibration_table.h"

#include <charconv>

#include <fmt/format.h>

#include "models/model.h"

namespace rightsize {
namespace {

std::vector<std::string> split(std::string_view line, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const auto end = line.find(separator);
    parts.emplace_back(line.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    line.remove_prefix(end + 1);
  }
}

}  // namespace

double TableRow::number(std::string_view field) const {
  const auto& value = text(field);
  if (value.empty()) {
    return 0;
  }
  double parsed = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  if (error != std::errc{} || end != value.data() + value.size()) {
    throw ModelError(fmt::format("line {}: {} = \"{}\" is not a number", line, field, value));
  }
  return parsed;
}

const std::string& TableRow::text(std::string_view field) const {
  const auto found = fields.find(field);
  if (found == fields.end()) {
    throw ModelError(fmt::format("line {}: there is no column \"{}\"", line, field));
  }
  return found->second;
}

std::vector<TableRow> parse_table(std::string_view csv, std::string_view name) {
  std::vector<TableRow> rows;
  std::vector<std::string> header;
  int line = 0;
  for (const auto& text : split(csv, '\n')) {
    ++line;
    if (text.empty()) {
      continue;
    }
    auto fields = split(text, ',');
    if (header.empty()) {
      header = std::move(fields);
      continue;
    }
    if (fields.size() != header.size()) {
      throw ModelError(fmt::format(
          "{}:{}: {} fields, the header has {}", name, line, fields.size(), header.size()));
    }
    TableRow row;
    row.line = line;
    for (std::size_t i = 0; i < header.size(); ++i) {
      row.fields[header[i]] = fields[i];
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace rightsize
