#include "advisor/report/svg_chart.h"

#include <cmath>
#include <regex>

#include <doctest/doctest.h>

#include "advisor/report/charts.h"
#include "advisor/report/evidence_charts.h"
#include "advisor/report/frontier.h"
#include "advisor/report/label_placer.h"
#include "advisor/report/row_chart.h"
#include "advisor/report_fixture.h"
#include "support/approx.h"

using namespace rightsize;
using namespace rightsize::report;

namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++n;
  }
  return n;
}

XyChart chart_of(std::vector<ChartPoint> points, Scale scale) {
  XyChart chart;
  chart.id = "c";
  chart.title = "a <title>";
  chart.description = "what it shows";
  chart.x.scale = scale;
  chart.y.scale = scale;
  chart.series = {{"all", "one", Mark::line, Shape::circle, false, std::move(points)}};
  chart.when_empty = "Nothing was measured.";
  return chart;
}

}  // namespace

TEST_CASE("svg: a chart names and describes itself for those who cannot see it") {
  const auto text = svg(chart_of({{1, 1, {}, {}, "", ""}, {2, 3, {}, {}, "", ""}}, Scale::linear));
  CHECK(text.find("role=\"img\"") != std::string::npos);
  CHECK(text.find("<title id=\"c-title\">a &lt;title&gt;</title>") != std::string::npos);
  CHECK(text.find("<desc id=\"c-desc\">what it shows</desc>") != std::string::npos);
}

TEST_CASE("svg: without points there is a sentence, not an empty chart") {
  const std::string sentence = "<p class=\"absent\">Nothing was measured.</p>\n";
  CHECK(svg(chart_of({}, Scale::linear)) == sentence);
  CHECK(svg(chart_of({{NAN, 1, {}, {}, "", ""}}, Scale::linear)) == sentence);
  CHECK(svg(chart_of({{-1, 1, {}, {}, "", ""}, {1, 0, {}, {}, "", ""}}, Scale::logarithmic)) ==
        sentence);
  CHECK(svg(RowChart{}).find("<svg") == std::string::npos);
}

TEST_CASE("svg: points that rise in x rise on paper, on a log scale too") {
  for (const auto scale : {Scale::linear, Scale::logarithmic}) {
    std::vector<ChartPoint> points;
    for (double x = 1; x < 1000; x *= 1.7) {
      points.push_back({x, x, {}, {}, "", ""});
    }
    const auto text = svg(chart_of(points, scale));
    const auto start =
        text.find("class=\"line\" d=\"", text.find("role-one", text.rfind("<g class")));
    REQUIRE(start != std::string::npos);
    const std::string path = text.substr(start, text.find("/>", start) - start);
    static const std::regex pair(R"(([ML])([0-9.]+) ([0-9.]+))");
    double last_x = -1;
    double last_y = 1e9;
    int seen = 0;
    for (auto it = std::sregex_iterator(path.begin(), path.end(), pair);
         it != std::sregex_iterator();
         ++it) {
      CHECK(std::stod((*it)[2]) > last_x);
      CHECK(std::stod((*it)[3]) < last_y);
      last_x = std::stod((*it)[2]);
      last_y = std::stod((*it)[3]);
      ++seen;
    }
    CHECK(seen == static_cast<int>(points.size()));
  }
}

TEST_CASE("svg: placed labels never lie on one another") {
  LabelPlacer placer({0, 0, 600, 300}, 11);
  std::vector<Box> placed;
  for (int i = 0; i < 40; ++i) {
    const auto box = placer.place("p4d.24xlarge", 300 + i % 7 * 9, 150 + i % 5 * 6);
    if (box) {
      for (const auto& other : placed) {
        CHECK_FALSE(box->overlaps(other));
      }
      placed.push_back(*box);
    }
  }
  CHECK(placed.size() > 10);
}

TEST_CASE("charts: the frontier is what nothing beats, and only it and the chosen are named") {
  auto answer = test::small_report().answer;
  CHECK(frontier_of(answer) == std::vector<std::size_t>{2, 0});
  const auto text = svg(pareto_chart(answer));
  CHECK(text.find(">p3.2xlarge</text>") != std::string::npos);
  CHECK(text.find(">p4d.24xlarge</text>") != std::string::npos);
  CHECK(text.find(">g5.xlarge</text>") == std::string::npos);
  CHECK(text.find("deadline 48.0 h") != std::string::npos);
  CHECK(text.find("budget $200") != std::string::npos);
  CHECK(occurrences(text, "class=\"infeasible\"") == 2);
  CHECK(occurrences(text, "class=\"dot\"") >= 3);
}

TEST_CASE("charts: three hundred options draw in bounded size and lists stay short") {
  auto answer = test::small_report().answer;
  for (int i = 0; i < 300; ++i) {
    answer.options.push_back(
        test::make_option("m" + std::to_string(i), 5 + i * 0.1, 140 - i * 0.2));
  }
  CHECK(svg(pareto_chart(answer)).size() < 400'000);
  CHECK(cost_chart(answer, 12).rows.size() == 12);
  CHECK(bottleneck_chart(answer, 12).rows.size() == 12);
}

TEST_CASE("charts: no options and no records give sentences") {
  ReportData empty;
  CHECK(svg(pareto_chart(empty.answer)).find("<svg") == std::string::npos);
  CHECK(svg(cost_chart(empty.answer, 5)).find("<svg") == std::string::npos);
  CHECK(svg(bottleneck_chart(empty.answer, 5)).find("<svg") == std::string::npos);
  CHECK(svg(throughput_chart(empty)).find("<svg") == std::string::npos);
  CHECK(svg(validation_chart(empty)).find("<svg") == std::string::npos);
  CHECK(timelines(empty.records, 4).empty());
}

TEST_CASE("charts: runs that differ in CPUs only make one sweep, in rising order") {
  auto data = test::small_report();
  data.records.push_back(data.records.front());
  data.records.back().limits.memory_bytes = 1;  // another condition: not part of it
  const auto sweeps = cpu_sweeps(data.records);
  REQUIRE(sweeps.size() == 1);
  REQUIRE(sweeps.front().runs.size() == 4);
  CHECK(sweeps.front().runs.front().name == "half a cpu");
  CHECK(svg(throughput_chart(data)).find("recordio measured") != std::string::npos);
}

TEST_CASE("charts: the middle half of a fleet's cost lies in its interval, or is not drawn") {
  auto answer = test::service_report().answer;
  auto& server = answer.options[0].service->server;
  server.log_sd = 0.4;
  answer.options[0].service =
      size_fleet(*answer.query.service, server, answer.query.confidence, 1.645);
  const auto& fleet = *answer.options[0].service;
  answer.options[0].cost.value = 384.0 * fleet.machines;
  answer.options[0].cost.low = 384.0 * fleet.machines_low;
  answer.options[0].cost.high = 384.0 * fleet.machines_high;
  REQUIRE(fleet.machines_low < fleet.machines);
  for (const auto& row : cost_chart(answer, 3).rows) {
    CAPTURE(row.label);
    REQUIRE(row.inner.has_value());
    CHECK(row.inner->low >= row.interval->low);
    CHECK(row.inner->low <= row.inner->high);
    CHECK(row.inner->high <= row.interval->high);
  }
  const int enough = machines_enough(*answer.query.service, server, -0.6745);
  CHECK(cost_chart(answer, 1).rows[0].inner->low == test::approx(384.0 * enough));
  answer.query.service->machines = 4;  // nothing of the cost is uncertain then
  CHECK_FALSE(cost_chart(answer, 1).rows[0].inner.has_value());
  answer.query.service->machines.reset();
  answer.options[0].service->server = {};  // as answers of earlier versions have it
  CHECK_FALSE(cost_chart(answer, 1).rows[0].inner.has_value());
}

TEST_CASE("charts: without records the throughput says that there are none, not what they lack") {
  auto data = test::small_report();
  data.records.clear();
  data.records_note = "no.db: there are no records yet.";
  CHECK(throughput_chart(data).when_empty.find("there are no records yet") != std::string::npos);
  CHECK(throughput_chart(data).when_empty.find("cpus axis") == std::string::npos);
}
