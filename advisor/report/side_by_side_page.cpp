// Several saved answers as one document: a page, Markdown, JSON.
#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/report/answer.h"
#include "advisor/report/charts.h"
#include "advisor/report/escape.h"
#include "advisor/report/html.h"
#include "advisor/report/html_parts.h"
#include "advisor/report/html_table.h"
#include "advisor/report/moves_table.h"
#include "advisor/report/report_tables.h"
#include "advisor/report/service_charts.h"
#include "advisor/report/side_by_side.h"
#include "advisor/report/svg_chart.h"
#include "advisor/report/token_charts.h"

namespace rightsize::report {
namespace {

constexpr std::size_t listed = 15;

// In step with the charts' ids, which must be unique in a page.
template <typename Chart>
Chart numbered(Chart chart, std::size_t index) {
  chart.id += fmt::format("-{}", index + 1);
  return chart;
}

std::string chart_part(const std::vector<NamedAnswer>& answers) {
  std::string out = figure(side_by_side_chart(answers), "wide");
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto& answer = answers[i].answer;
    out += "<h3>" + escape_html(answers[i].name) + "</h3>\n" +
           figure(numbered(
                      answer.query.serves() ? latency_cost_chart(answer) : pareto_chart(answer), i),
                  "wide") +
           figure(numbered(answer.query.tokens ? token_memory_chart(answer, listed)
                                               : bottleneck_chart(answer, listed),
                           i),
                  "wide");
  }
  return out;
}

std::string options_part(const NamedAnswer& named) {
  return folded("Options of " + named.name,
                html_table(shown_table(named.answer, listed, false),
                           {"Options of " + named.name, true, false, {0}}));
}

std::string rejected_part(const NamedAnswer& named) {
  return named.answer.rejected.empty()
             ? ""
             : folded("Rejected in " + named.name,
                      html_table(rejection_table(named.answer),
                                 {"Why offers were rejected", true, false, {}}));
}

template <typename Part>
std::string each(const std::vector<NamedAnswer>& answers, Part part) {
  std::string out;
  for (const auto& named : answers) {
    out += part(named);
  }
  return out;
}

std::vector<std::string> warnings_of(const std::vector<NamedAnswer>& answers) {
  std::vector<std::string> all;
  for (const auto& [name, answer] : answers) {
    for (const auto& warning : answer.warnings) {
      all.push_back(name + ": " + warning);
    }
  }
  return all;
}

// Of many answers more than a screen of them, before the first choice.
std::string warnings_part(const std::vector<NamedAnswer>& answers) {
  const auto warnings = warnings_of(answers);
  return warnings.size() <= answers.size()
             ? list(warnings, "warnings")
             : folded(fmt::format("{} warnings", warnings.size()), list(warnings, "warnings"));
}

}  // namespace

std::string side_by_side_html(const std::vector<NamedAnswer>& answers, const std::string& command) {
  PageParts parts;
  parts.title = fmt::format("{} answers", answers.size());
  const auto moves = moves_sentence(answers);
  parts.headline = moves.empty() ? "Saved answers of rightsize beside each other." : moves;
  parts.warnings = warnings_part(answers);
  parts.premises = paragraph(
      "Made from saved answers alone: their records, models and prices were not read again.");
  parts.options =
      (moves.empty() ? ""
                     : html_table(moves_table(answers),
                                  {"Today's machines and what to do", true, true, {}})) +
      html_table(side_by_side_table(answers), {"The choices", false, true, {}});
  parts.charts = chart_part(answers);
  parts.details = each(answers, options_part);
  parts.rejected = each(answers, rejected_part);
  parts.method = absent("Each answer carries its own error: see the report of its job.");
  parts.measurements = absent("The measurements are absent from this report.");
  parts.command = command;
  parts.json = side_by_side_json(answers);
  return page_of(parts);
}

std::string side_by_side_markdown(const std::vector<NamedAnswer>& answers,
                                  const std::string& command) {
  std::string out = fmt::format("# {} answers\n\n", answers.size());
  if (const auto moves = moves_sentence(answers); !moves.empty()) {
    out += "**" + moves + "**\n\n" + moves_table(answers).markdown() + "\n";
  }
  out += side_by_side_table(answers).markdown();
  for (const auto& [name, answer] : answers) {
    out += fmt::format(
        "\n**{}**: {}\n", escape_markdown(name), escape_markdown(answer_sentence(answer)));
  }
  for (const auto& warning : warnings_of(answers)) {
    out += "\n> Warning: " + escape_markdown(warning) + "\n";
  }
  return out + "\n```sh\n" + command + "\n```\n";
}

std::string side_by_side_json(const std::vector<NamedAnswer>& answers) {
  boost::json::array all;
  for (const auto& named : answers) {
    all.push_back(to_json(named.answer));
  }
  return boost::json::serialize(all) + "\n";
}

}  // namespace rightsize::report
