#include "advisor/report/html_table.h"

#include <fmt/format.h>

#include "advisor/report/escape.h"

namespace rightsize::report {
namespace {

std::string cell(const std::string& text, const Column& column, bool head) {
  const char* tag = head ? "th" : "td";
  return fmt::format("<{}{}{}>{}</{}>",
                     tag,
                     head ? " scope=\"row\"" : "",
                     column.align == Align::right ? " class=\"number\"" : "",
                     escape_html(text),
                     tag);
}

std::string headings(const Table& table) {
  std::string out = "<thead><tr>";
  for (const auto& column : table.columns()) {
    // A column of marks has no words: a heading must not be empty.
    out += fmt::format(
        "<th scope=\"col\"{}>{}</th>",
        column.align == Align::right ? " class=\"number\"" : "",
        column.title.empty() ? "<span class=\"unseen\">mark</span>" : escape_html(column.title));
  }
  return out + "</tr></thead>\n";
}

}  // namespace

std::string html_table(const Table& table, const HtmlTableOptions& options) {
  const auto caption = escape_html(options.caption);
  std::string out = fmt::format(
      "<div class=\"scroll\" role=\"region\" aria-label=\"{}\" tabindex=\"0\"><table{}>"
      "<caption>{}</caption>\n",
      caption,
      options.sortable ? " class=\"sortable\"" : "",
      caption);
  out += headings(table) + "<tbody>\n";
  for (std::size_t r = 0; r < table.rows().size(); ++r) {
    out += options.strong_rows.count(r) > 0 ? "<tr class=\"chosen\">" : "<tr>";
    const auto& row = table.rows()[r];
    for (std::size_t c = 0; c < row.size(); ++c) {
      out += cell(row[c], table.columns()[c], options.row_heads && c == 0);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace rightsize::report
