#include "advisor/report/markdown.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/report/answer.h"
#include "advisor/report/charts.h"
#include "advisor/report/escape.h"
#include "advisor/report/quality.h"
#include "advisor/report/report_tables.h"
#include "advisor/report/right_sizing_text.h"
#include "advisor/report/runs.h"
#include "advisor/report/service_charts.h"
#include "advisor/report/sooner_text.h"
#include "advisor/report/token_charts.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"

namespace rightsize::report {
namespace {

constexpr std::size_t small_table = 10;  // what is read without unfolding
constexpr std::size_t detailed = 10;

// The table with every cell safe for a renderer that knows HTML and emphasis.
std::string markdown_of(const Table& table) {
  auto columns = table.columns();
  for (auto& column : columns) {
    column.title = escape_markdown(column.title);
  }
  Table safe(std::move(columns));
  for (const auto& row : table.rows()) {
    std::vector<std::string> cells;
    std::transform(row.begin(), row.end(), std::back_inserter(cells), escape_markdown);
    safe.add(std::move(cells));
  }
  return safe.markdown() + "\n";
}

std::string folded(const std::string& summary, const std::string& content) {
  return fmt::format(
      "<details><summary>{}</summary>\n\n{}\n</details>\n\n", escape_html(summary), content);
}

std::string list(const std::vector<std::string>& items) {
  std::string out;
  for (const auto& item : items) {
    out += "- " + escape_markdown(item) + "\n";
  }
  return out;
}

std::string options_part(const Recommendation& answer) {
  if (answer.options.empty()) {
    return "No offer satisfies the constraints, and none comes near.\n\n";
  }
  std::string out;
  if (const auto alternatives = alternatives_table(answer); !alternatives.empty()) {
    out += markdown_of(alternatives);
  }
  out += markdown_of(shown_table(answer, small_table, false));
  out += escape_markdown(scope_sentence(answer)) + "\n\n";
  if (const auto sooner = sooner_line(answer); !sooner.empty()) {
    out += escape_markdown(sooner) + "\n\n";
  }
  if (answer.query.serves()) {
    const bool tokens = answer.query.tokens.has_value();
    if (const auto fleets = tokens ? token_machines_table(answer) : machines_table(answer);
        !fleets.empty()) {
      out += folded("The 99th percentile of the chosen by machines", markdown_of(fleets));
    }
    if (const auto by_load = load_table(answer); !by_load.empty()) {
      out += folded(fmt::format("What a million {} cost, by load", tokens ? "tokens" : "requests"),
                    markdown_of(by_load));
    }
  }
  if (answer.options.size() > small_table) {
    out += folded(fmt::format("All {} options", answer.options.size()),
                  markdown_of(shown_table(answer, 0, true)));
  }
  return answer.query.tokens
             ? out
             : out + folded("What each option waits for: busy share of each resource",
                            markdown_of(busy_table(answer, small_table)));
}

std::string details_part(const Recommendation& answer) {
  std::string out;
  for (std::size_t i = 0; i < std::min(detailed, answer.options.size()); ++i) {
    const auto& option = answer.options[i];
    out += folded(fmt::format("{}. {}: itemised bill and sources", i + 1, option_name(option)),
                  markdown_of(bill_table(option.bill)) +
                      markdown_of(facts_table(option, answer.query)));
  }
  return out;
}

std::string method_part(const ReportData& data) {
  if (data.answer.query.tokens) {  // no part of the fitted model enters it
    return fmt::format("Times are by {}.\n\n", token_model) +
           folded("Assumptions", list(data.answer.assumptions));
  }
  std::string out;
  if (data.validation.rows.empty()) {
    out += "No held-out run is in the records, so there is no error on unseen settings.\n\n";
  } else {
    out += escape_markdown(validation_sentence(data.validation)) + "\n\n" +
           folded("Predicted against measured, held-out runs",
                  markdown_of(validation_table(data.validation)));
  }
  out += folded("Parameters of the model", markdown_of(parameter_table(data.model)));
  if (data.fit) {
    out += folded("Cross-validation, run by run", markdown_of(fitted_run_table(*data.fit)));
  }
  return out + folded("Assumptions", list(data.answer.assumptions));
}

std::string measurement_part(const ReportData& data) {
  std::string out = escape_markdown(data.records_note) + "\n\n";
  if (data.records.empty()) {
    return out + "The measurements are absent from this report.\n\n";
  }
  if (const auto measured = sweep_table(data.records); !measured.empty()) {
    out += folded("Throughput by vCPUs", markdown_of(measured));
  }
  return out + folded(fmt::format("All {}", count_of(data.records.size(), "run")),
                      markdown_of(run_table(data.records)));
}

}  // namespace

std::string markdown_report(const ReportData& data) {
  const auto& answer = data.answer;
  const auto& name = answer.query.name.empty() ? answer.query.network : answer.query.name;
  std::string out = fmt::format("# {}: which machine to rent\n\n**{}**\n\n",
                                escape_markdown(name),
                                escape_markdown(headline(answer)));
  for (const auto& line : current_lines(answer)) {
    out += "- " + escape_markdown(line) + "\n";
  }
  out += answer.current ? "\n" : "";
  for (const auto& warning : answer.warnings) {
    out += "> Warning: " + escape_markdown(warning) + "\n\n";
  }
  out += folded("What this rests on", markdown_of(premises_table(data)));
  out += "## Options\n\n" + options_part(answer);
  out += "## Details and bills\n\n" + details_part(answer);
  out +=
      "## Rejected, and why\n\n" + (answer.rejected.empty() ? "No offer was rejected.\n\n"
                                                            : markdown_of(rejection_table(answer)));
  out += "## Method and error\n\n" + method_part(data);
  out += "## Measurements\n\n" + measurement_part(data);
  return out + "## Reproduce\n\n```sh\n" + data.command + "\n```\n";
}

}  // namespace rightsize::report
