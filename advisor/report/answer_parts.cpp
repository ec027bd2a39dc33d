#include "advisor/report/answer_parts.h"

#include <string>

#include <fmt/format.h>

#include "advisor/fleet/fleet_total.h"
#include "advisor/full_name.h"
#include "advisor/report/answer_tables.h"
#include "advisor/report/charts.h"
#include "advisor/report/escape.h"
#include "advisor/report/html_parts.h"
#include "advisor/report/html_table.h"
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

// Of what the job is to run on, which is not always the first of its options.
std::string bill_part(const NamedAnswer& named) {
  const auto* planned = planned_option(named.answer);
  if (planned == nullptr || planned->bill.lines.empty()) {
    return "";
  }
  const auto times = named.answer.query.runs_per_month;
  const auto title = fmt::format("Itemised bill of {}: {}{}",
                                 named.name,
                                 full_name(*planned),
                                 times ? fmt::format(", each of {:g} runs a month", *times) : "");
  return folded(title, html_table(bill_table(planned->bill), {title, false, true, {}}));
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

}  // namespace

void add_answer_parts(const std::vector<NamedAnswer>& answers, PageParts& parts) {
  parts.charts = chart_part(answers);
  parts.details = each(answers, bill_part) + each(answers, options_part);
  parts.rejected = each(answers, rejected_part);
  parts.method = absent("Each answer carries its own error: see the report of its job.");
  parts.measurements = absent("The measurements are absent from this report.");
}

}  // namespace rightsize::report
