#include "advisor/report/runs_page.h"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/report/escape.h"
#include "advisor/report/evidence_charts.h"
#include "advisor/report/html_charts.h"
#include "advisor/report/html_parts.h"
#include "advisor/report/html_table.h"
#include "advisor/report/record_columns.h"
#include "advisor/report/run_sheet.h"
#include "advisor/report/runs.h"
#include "advisor/report/svg_chart.h"
#include "advisor/report/units.h"
#include "rightsize_page.h"

namespace rightsize::report {
namespace {

constexpr std::size_t most_drawn = 24;

std::string runs_section(const RunsPage& page) {
  return html_table(run_table(page.records), {"All runs", true, true, {}}) +
         fmt::format("<p><a download=\"runs.csv\" href=\"{}\">Download the runs as CSV</a></p>\n",
                     escape_html(data_uri("text/csv", record_columns(page.records).csv())));
}

std::string time_section(const RunsPage& page) {
  const auto drawn = timelines(page.records, most_drawn);
  if (drawn.empty()) {
    return absent("No run was measured long enough to show its course.");
  }
  auto out = timeline_figures(drawn);
  if (drawn.size() == most_drawn) {
    out += paragraph(fmt::format("Drawn are the {} that differ most.", most_drawn));
  }
  return out;
}

std::string sheets_section(const RunsPage& page) {
  std::string out;
  for (const auto& record : page.records) {
    out += folded(run_sentence(record),
                  "<pre tabindex=\"0\">" + escape_html(run_sheet(record)) + "</pre>\n");
  }
  return out;
}

}  // namespace

std::string runs_headline(const std::vector<Record>& records) {
  std::map<Status, std::size_t> counts;
  for (const auto& record : records) {
    ++counts[record.status];
  }
  std::vector<std::string> parts;
  for (const auto& [status, number] : counts) {
    parts.push_back(fmt::format("{} {}", number, to_string(status)));
  }
  return fmt::format("{}: {}", count_of(records.size(), "run"), fmt::join(parts, ", "));
}

std::string runs_html(const RunsPage& page) {
  return filled(embedded::runs_html(),
                {{"style", std::string(embedded::page_css())},
                 {"script", std::string(embedded::page_js())},
                 {"title", escape_html(page.title)},
                 {"headline", escape_html(runs_headline(page.records))},
                 {"runs", runs_section(page)},
                 {"time", time_section(page)},
                 {"sheets", sheets_section(page)},
                 {"command", escape_html(page.command)},
                 {"library", chart_library()},
                 {"colophon", colophon()}});
}

std::string runs_markdown(const RunsPage& page) {
  auto out = fmt::format("# {}: what was measured\n\n{}\n\n",
                         escape_markdown(page.title),
                         runs_headline(page.records));
  out += run_table(page.records).markdown() + "\n";
  for (const auto& record : page.records) {
    out += fmt::format(
        "## {}\n\n```\n{}```\n\n", escape_markdown(run_sentence(record)), run_sheet(record));
  }
  return out + "## Reproduce\n\n```sh\n" + page.command + "\n```\n";
}

}  // namespace rightsize::report
