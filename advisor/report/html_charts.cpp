#include "advisor/report/html_charts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/report/charts.h"
#include "advisor/report/escape.h"
#include "advisor/report/evidence_charts.h"
#include "advisor/report/frontier_table.h"
#include "advisor/report/html_parts.h"
#include "advisor/report/html_table.h"
#include "advisor/report/report_tables.h"
#include "advisor/report/runs.h"
#include "advisor/report/service_charts.h"
#include "advisor/report/study_charts.h"
#include "advisor/report/study_tables.h"
#include "advisor/report/svg_chart.h"
#include "advisor/report/token_charts.h"
#include "kernels/gibibyte.h"
#include "models/setting.h"

namespace rightsize::report {
namespace {

constexpr std::size_t charted_options = 12;

std::string folded_table(const std::string& summary, const Table& table) {
  return table.empty() ? "" : folded(summary, html_table(table, {summary, false, true, {}}));
}

std::string frontier(const Recommendation& answer) {
  return folded_table(
      "The frontier, from left to right: numbers in the chart are rows of this table",
      frontier_table(answer));
}

// The amounts of a resource that usable runs on the same data format were given.
std::optional<Range> measured_amounts(const ReportData& data, const std::string& resource) {
  Range range{INFINITY, 0};
  for (const auto& record : data.records) {
    if (!is_usable(record) || record.workload.data != data.answer.query.format) {
      continue;
    }
    const auto setting = setting_of(record);
    const double amount = resource == "vCPUs" ? setting.cpus
                          : resource == "memory"
                              ? static_cast<double>(record.limits.memory_bytes) / bytes_per_gib
                              : record.limits.disk_read_bytes_per_s / 1e6;
    if (amount > 0) {  // 0: not limited
      range = {std::min(range.low, amount), std::max(range.high, amount)};
    }
  }
  return range.high > 0 ? std::optional(range) : std::nullopt;
}

std::string service_charts(const ReportData& data) {
  const auto& answer = data.answer;
  const bool tokens = answer.query.tokens.has_value();
  return figure(latency_cost_chart(answer, data.current), "wide") + frontier(answer) +
         figure(tokens ? token_machines_chart(answer) : machines_chart(answer), "wide") +
         folded_table("The 99th percentile by machines",
                      tokens ? token_machines_table(answer) : machines_table(answer)) +
         figure(load_chart(answer), "wide") +
         folded_table(tokens ? "What a million tokens cost, by load"
                             : "What a million requests cost, by load",
                      load_table(answer));
}

std::string options_charts(const ReportData& data) {
  const auto& answer = data.answer;
  const auto first = answer.query.serves()
                         ? service_charts(data)
                         : figure(pareto_chart(answer, data.current), "wide") + frontier(answer);
  const auto costs = first + figure(cost_chart(answer, charted_options), "wide");
  if (answer.query.tokens) {  // on which the shape of the host has no bearing
    return costs + figure(token_memory_chart(answer, charted_options), "wide") +
           figure(token_time_chart(answer, charted_options), "wide");
  }
  return costs + figure(bottleneck_chart(answer, charted_options), "wide") +
         folded_table("Busy share of each resource", busy_table(answer, charted_options)) +
         figure(shape_chart(answer), "wide");
}

std::string study_charts(const ReportData& data) {
  if (!data.study) {
    return absent(
        data.answer.chosen
            ? "How the chosen option answers to vCPUs, memory and disk, what moves its cost, its "
              "scaling and its markets are not in this report: it was made from a saved answer."
            : "Nothing was chosen: there is no option to study closer.");
  }
  const auto& study = *data.study;
  std::string out;
  for (const auto& response : study.responses) {
    out += figure(response_chart(data.answer, response, measured_amounts(data, response.resource)),
                  "wide");
  }
  return out + folded_table("Knees of the chosen option", knee_table(study)) +
         figure(tornado_chart(data.answer, study), "wide") +
         folded_table("What moves the cost", tornado_table(data.answer, study)) +
         (data.answer.query.serves()
              ? ""
              : figure(scaling_chart(data.answer, study), "wide") +
                    folded_table("Scaling over GPUs", scaling_table(study))) +
         figure(market_chart(data.answer, study), "wide") +
         folded_table("Prices by market", market_table(study));
}

}  // namespace

std::string chart_section(const ReportData& data) {
  if (data.answer.query.tokens) {
    return options_charts(data) + study_charts(data);
  }
  return options_charts(data) + study_charts(data) + figure(throughput_chart(data), "wide") +
         folded_table("Measured throughput by vCPUs", sweep_table(data.records));
}

std::string timeline_figures(const std::vector<RunTimeline>& drawn) {
  std::string out;
  std::vector<const Record*> runs;
  for (const auto& timeline : drawn) {
    runs.push_back(timeline.run);
    out += fmt::format("<h3>{}</h3>\n<div class=\"small-multiples\">",
                       escape_html(run_sentence(*timeline.run)));
    for (const auto& chart : timeline.charts) {
      out += figure(chart, "small");
    }
    out += "</div>\n";
  }
  return runs.empty() ? out
                      : out + html_table(timeline_table(runs),
                                         {"The runs drawn above in numbers", false, true, {}});
}

}  // namespace rightsize::report
