#include "advisor/report/html.h"

#include <algorithm>
#include <stdexcept>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/report/answer.h"
#include "advisor/report/charts.h"
#include "advisor/report/echarts_option.h"
#include "advisor/report/escape.h"
#include "advisor/report/evidence_charts.h"
#include "advisor/report/html_charts.h"
#include "advisor/report/html_parts.h"
#include "advisor/report/html_table.h"
#include "advisor/report/html_tiles.h"
#include "advisor/report/quality.h"
#include "advisor/report/report_tables.h"
#include "advisor/report/right_sizing_text.h"
#include "advisor/report/runs.h"
#include "advisor/report/service_text.h"
#include "advisor/report/sooner_text.h"
#include "advisor/report/svg_chart.h"
#include "advisor/report/table_notes.h"
#include "advisor/report/token_text.h"
#include "advisor/report/units.h"
#include "rightsize_page.h"

namespace rightsize::report {
namespace {

constexpr std::size_t drawn_timelines = 4;
constexpr std::size_t listed_first = 15;  // the rest is folded

std::string ranked_table(const Recommendation& answer,
                         std::size_t limit,
                         const std::string& caption) {
  HtmlTableOptions look{caption, true, false, {}};
  if (answer.chosen) {
    look.strong_rows.insert(0);
  }
  return html_table(shown_table(answer, limit, false), look);
}

std::string option_section(const ReportData& data) {
  const auto& answer = data.answer;
  if (answer.options.empty()) {
    return absent(
        "No offer satisfies the constraints, and none comes near: see what was rejected.");
  }
  std::string out;
  const auto alternatives = alternatives_table(answer);
  if (!alternatives.empty()) {
    out += html_table(alternatives,
                      {"The chosen option and what will be asked about", false, true, {0}});
  }
  const auto& options = answer.options;
  out += ranked_table(answer, std::min(listed_first, options.size()), "Options, best first");
  for (const auto& note : table_notes(answer, 0)) {
    out += paragraph(note + ".");
  }
  if (const auto sooner = sooner_line(answer); !sooner.empty()) {
    out += paragraph(sooner);
  }
  if (options.size() > listed_first) {
    out += folded(fmt::format("All {} options", options.size()),
                  ranked_table(answer, options.size(), "All options, best first"),
                  Fold::long_list);
  }
  return out + paragraph(scope_sentence(answer)) +
         fmt::format(
             "<p><a download=\"options.csv\" href=\"{}\">Download the options as CSV</a></p>\n",
             escape_html(data_uri("text/csv", option_data(answer).csv())));
}

std::string option_details(const Option& option, std::size_t rank, const Query& query) {
  const auto name = option_name(option);
  const auto takes = option.tokens    ? waiting_words(*option.tokens)
                     : option.service ? fmt::format("p99 ~{}", latency(option.p99.value))
                                      : fmt::format("~{} h", digits(option.hours.value));
  return folded(
      fmt::format("{}. {}: ~{}, {}", rank, name, money(option.cost.value, option.cost.unit), takes),
      html_table(bill_table(option.bill), {"Itemised bill of " + name, false, true, {}}) +
          html_table(facts_table(option, query), {"Facts of " + name, false, true, {}}),
      rank == 1 ? Fold::open : Fold::closed);
}

std::string detail_section(const Recommendation& answer) {
  std::string first;
  std::string others;
  for (std::size_t i = 0; i < answer.options.size(); ++i) {
    (i < listed_first ? first : others) += option_details(answer.options[i], i + 1, answer.query);
  }
  if (first.empty()) {
    return absent("There is no option to detail.");
  }
  return others.empty() ? first : first + folded("The other options", others, Fold::long_list);
}

std::string rejected_section(const Recommendation& answer) {
  return answer.rejected.empty()
             ? absent("No offer was rejected.")
             : html_table(rejection_table(answer), {"Why offers were rejected", true, false, {}});
}

std::string method_section(const ReportData& data) {
  const auto& model = data.model;
  if (data.answer.query.tokens) {  // no part of the fitted model enters it
    return paragraph(fmt::format("Times are by {}.", token_model)) + "<h3>Assumptions</h3>\n" +
           list(data.answer.assumptions, "assumptions");
  }
  if (model.runs == 0) {
    return absent("The model is absent from this report: it was made from a saved answer.") +
           "<h3>Assumptions</h3>\n" + list(data.answer.assumptions, "assumptions");
  }
  std::string out = paragraph(
      was_cross_validated(model)
          ? fmt::format(
                "The model was fitted to {}: cross-validated error {} median, {} P90; its {} "
                "intervals hold {} of the runs it had not seen.",
                number_of(model.runs, "run"),
                percent(model.cv_median_error),
                percent(model.cv_p90_error),
                percent(model.confidence),
                percent(model.cv_coverage))
          : fmt::format("The model was fitted to {}: none of them could be predicted from others, "
                        "so its error is not known.",
                        number_of(model.runs, "run")));
  out += figure(validation_chart(data));
  if (data.validation.rows.empty()) {
    out += absent("No held-out run is in the records, so there is no error on unseen settings.");
  } else {
    out += paragraph(validation_sentence(data.validation)) +
           html_table(validation_table(data.validation),
                      {"Predicted against measured, held-out runs", true, false, {}});
  }
  out += folded("Parameters of the model",
                html_table(parameter_table(model), {"Parameters of the model", true, true, {}}));
  if (data.fit) {
    out += folded("Cross-validation, run by run (the records fitted again for this report)",
                  html_table(fitted_run_table(*data.fit), {"Cross-validation", true, true, {}}) +
                      list(data.fit->warnings, "warnings"));
  }
  return out + "<h3>Assumptions</h3>\n" + list(data.answer.assumptions, "assumptions");
}

std::string measurement_section(const ReportData& data) {
  std::string out = paragraph(data.records_note);
  if (data.records.empty()) {
    return out + absent("The measurements are absent from this report.");
  }
  out += timeline_figures(timelines(data.records, drawn_timelines));
  return out + folded(fmt::format("All {}", count_of(data.records.size(), "run")),
                      html_table(run_table(data.records), {"All runs", true, true, {}}));
}

std::string title_of(const ReportData& data) {
  const auto& query = data.answer.query;
  return query.name.empty() ? query.network : query.name;
}

}  // namespace

std::string filled(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string out;
  std::size_t at = 0;
  while (true) {
    const auto open = text.find("{{", at);
    if (open == std::string_view::npos) {
      return out.append(text.substr(at));
    }
    const auto close = text.find("}}", open);
    const auto found = close == std::string_view::npos
                           ? values.end()
                           : values.find(std::string(text.substr(open + 2, close - open - 2)));
    if (found == values.end()) {
      throw std::logic_error("page.html names a value that nobody gives");
    }
    out.append(text.substr(at, open - at)).append(found->second);
    at = close + 2;
  }
}

std::string page_of(const PageParts& parts) {
  return filled(embedded::page_html(),
                {{"style", std::string(embedded::page_css())},
                 {"script", std::string(embedded::page_js())},
                 {"title", escape_html(parts.title)},
                 {"headline", escape_html(parts.headline)},
                 {"tiles", parts.tiles},
                 {"warnings", parts.warnings},
                 {"premises", parts.premises},
                 {"options", parts.options},
                 {"charts", parts.charts},
                 {"details", parts.details},
                 {"rejected", parts.rejected},
                 {"method", parts.method},
                 {"measurements", parts.measurements},
                 {"command", escape_html(parts.command)},
                 {"library", chart_library()},
                 {"colophon", colophon()},
                 {"json", escape_script(parts.json)}});
}

std::string html_report(const ReportData& data) {
  const auto& answer = data.answer;
  return page_of({title_of(data),
                  headline(answer),
                  tiles(answer) + list(current_lines(answer), "current"),
                  list(answer.warnings, "warnings"),
                  html_table(premises_table(data), {"What this rests on", false, true, {}}),
                  option_section(data),
                  chart_section(data),
                  detail_section(answer),
                  rejected_section(answer),
                  method_section(data),
                  measurement_section(data),
                  data.command,
                  boost::json::serialize(to_json(answer))});
}

}  // namespace rightsize::report
