#include "advisor/report/text_chart.h"

#include <algorithm>
#include <sstream>

#include <doctest/doctest.h>

#include "advisor/report/charts.h"
#include "advisor/report/study_charts.h"
#include "advisor/report/table.h"
#include "advisor/report_fixture.h"

using namespace rightsize;
using namespace rightsize::report;

namespace {

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) {
    widest = std::max(widest, display_width(line));
  }
  return widest;
}

}  // namespace

TEST_CASE("text chart: names what the page names, in letters of one byte where it must") {
  const auto data = test::small_report();
  const auto text = text_chart(pareto_chart(data.answer), {}, Letters::ascii);
  CHECK(text.find("p3.2xlarge") != std::string::npos);
  CHECK(text.find("deadline 48.0 h") != std::string::npos);
  CHECK(text.find("* chosen") != std::string::npos);
  for (const char c : text) {
    CHECK(static_cast<unsigned char>(c) < 128);
  }
  const auto drawn = text_chart(pareto_chart(data.answer), {}, Letters::utf8);
  CHECK(drawn.find("◆ chosen") != std::string::npos);
}

TEST_CASE("text chart: stays within the terminal") {
  const auto data = test::small_report();
  const auto chart = response_chart(data.answer, data.study->responses.front(), std::nullopt);
  for (const std::size_t width : {60, 80, 120}) {
    const auto plot = text_chart(chart, {false, width}, Letters::utf8);
    std::istringstream lines(plot);
    for (std::string line; std::getline(lines, line);) {
      if (line.find("│") != std::string::npos || line.find("└") != std::string::npos) {
        CHECK(display_width(line) <= width);
      }
    }
    CHECK(plot.find("knee 2 vCPU") != std::string::npos);
  }
  CHECK(widest_line(text_chart(chart, {}, Letters::utf8)) <= 110);
}

TEST_CASE("text chart: without data there is nothing") {
  CHECK(text_chart(XyChart{}, {}, Letters::utf8).empty());
}

TEST_CASE("text chart: lines are told apart without colours, in the key and where they run") {
  XyChart chart;
  chart.title = "two";
  chart.x.title = "x";
  chart.y.title = "y";
  const auto at = [](double x, double y) {
    ChartPoint point;
    point.x = x;
    point.y = y;
    return point;
  };
  chart.series = {{"low", "one", Mark::line, {}, false, {at(0, 0), at(10, 0)}},
                  {"high", "two", Mark::step, {}, false, {at(0, 10), at(10, 10)}}};
  const auto text = text_chart(chart, {}, Letters::ascii);
  CHECK(text.find("- low   = high") != std::string::npos);
  CHECK(text.find("====") != std::string::npos);
  const auto drawn = text_chart(chart, {}, Letters::utf8);
  CHECK(drawn.find("─ low   ═ high") != std::string::npos);
}
