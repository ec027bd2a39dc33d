// The second renderer against the first: what a chart says must be in the option, with the same
// axes.
#include "advisor/report/echarts_option.h"

#include <cmath>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include "advisor/report/chart_scale.h"
#include "advisor/report/charts.h"
#include "advisor/report/frontier_table.h"
#include "advisor/report/grid_chart.h"
#include "advisor/report/study_charts.h"
#include "advisor/report_fixture.h"
#include "support/approx.h"

using namespace rightsize;
using namespace rightsize::report;

namespace {

namespace json = boost::json;

json::object option_of(const auto& chart) {
  const auto drawing = echarts_option(chart);
  REQUIRE(drawing.has_value());
  CHECK(drawing->at("height").as_double() > 50);
  return drawing->at("option").as_object();
}

std::size_t items(const json::object& option, const std::string& type) {
  std::size_t n = 0;
  for (const auto& series : option.at("series").as_array()) {
    if (series.at("type").as_string() == type) {
      n += series.at("data").as_array().size();
    }
  }
  return n;
}

}  // namespace

TEST_CASE("echarts: every option is a point with its error bars, and every limit a line") {
  const auto answer = test::small_report().answer;
  const auto chart = pareto_chart(answer);
  const auto option = option_of(chart);
  CHECK(items(option, "scatter") == answer.options.size());
  const auto& series = option.at("series").as_array();
  const auto& texts = series.back().at("labels").as_array();
  CHECK(items(option, "custom") == answer.options.size() + texts.size());  // error bars, labels
  CHECK(series.at(series.size() - 2).at("markLine").at("data").as_array().size() == 2);
  CHECK(option.at("xAxis").at("min").as_double() == test::approx(x_range(chart).low));
  CHECK(option.at("yAxis").at("max").as_double() == test::approx(y_range(chart).high));
}

TEST_CASE("echarts: the words of limits choose their places first, then the chosen, then others") {
  const auto option = option_of(pareto_chart(test::small_report().answer));
  std::vector<std::string> words;
  std::vector<std::string> numbers;
  for (const auto& label : option.at("series").as_array().back().at("labels").as_array()) {
    words.push_back(json::value_to<std::string>(label.at("text")));
    const auto* number = label.as_object().if_contains("number");
    numbers.push_back(number == nullptr ? "" : json::value_to<std::string>(*number));
  }
  CHECK(fmt::format("{}", fmt::join(words, "; ")) ==
        "deadline 48.0 h; budget $200.00; p3.2xlarge; p4d.24xlarge");
  CHECK(numbers == std::vector<std::string>{"", "", "2", "1"});  // from left to right
}

TEST_CASE("charts: the numbers of the frontier's points are rows of its table") {
  const auto answer = test::small_report().answer;
  const auto table = frontier_table(answer);
  REQUIRE(table.rows().size() == 2);
  CHECK(table.rows()[0][0] == "1");
  CHECK(table.rows()[0][1] == "aws p4d.24xlarge");
  CHECK(table.rows()[1][1] == "aws p3.2xlarge");
  CHECK(frontier_table(Recommendation{}).empty());
}

TEST_CASE("echarts: the machine that is used now stands in the cost chart as you are here") {
  const auto answer = test::small_report().answer;
  const auto now = test::make_option("p2.xlarge", 60, 150);
  const auto option = option_of(pareto_chart(answer, now));
  CHECK(items(option, "scatter") == answer.options.size() + 1);
  CHECK(json::serialize(option).find("you are here: p2.xlarge") != std::string::npos);
}

TEST_CASE("echarts: ticks are short decimals, whatever sums of steps are in binary") {
  RowChart chart;
  chart.fixed_range = Range{3.25, 4.85};
  chart.rows = {{"a", "", false, {}, 4.0, Range{3.3, 4.8}, {}, {}, ""}};
  const auto option = option_of(chart);
  for (const auto& tick : option.at("xAxis").at("axisLabel").at("customValues").as_array()) {
    CHECK(json::serialize(tick).size() <= 6);
  }
}

TEST_CASE("echarts: without data there is no drawing") {
  CHECK_FALSE(echarts_option(XyChart{}));
  CHECK_FALSE(echarts_option(RowChart{}));
  CHECK_FALSE(echarts_option(GridChart{}));
}

TEST_CASE("charts: the shares of an option's time add up to all of it") {
  const auto chart = bottleneck_chart(test::small_report().answer, 12);
  for (const auto& row : chart.rows) {
    double sum = 0;
    for (const auto& bar : row.bars) {
      sum += bar.value;
    }
    CHECK(sum == test::approx(100));
  }
}

TEST_CASE("charts: a shape that is sold several times shows its cheapest option once") {
  auto answer = test::small_report().answer;  // three options of one shape
  answer.options.push_back(test::make_option("g5.2xlarge", 30, 60));
  answer.options.back().memory_gib = 32;
  const auto chart = shape_chart(answer);
  REQUIRE(chart.cells.size() == 2);
  CHECK(chart.rows == std::vector<std::string>{"32", "61"});
  const double items_of_job = 1281167.0 * 90;
  for (const auto& cell : chart.cells) {
    const double cost = chart.rows[cell.y] == "32" ? 60 : 73.44;
    CHECK(cell.value == test::approx(cost / items_of_job * 1e6));
    CHECK(cell.strong == (cost == 73.44));
  }
  CHECK(grid_level(1, 1) == 0);
  CHECK(grid_level(1.4, 1) == 1);
  CHECK(grid_level(100, 1) == grid_levels.size() - 1);
}

TEST_CASE("charts: a curve is whole, dashed where nothing was measured") {
  const auto data = test::small_report();
  const auto& response = data.study->responses.front();
  const auto chart = response_chart(data.answer, response, Range{1.5, 5});
  std::size_t solid = 0;
  std::size_t dashed = 0;
  for (const auto& series : chart.series) {
    if (series.mark == Mark::line) {
      (series.dashed ? dashed : solid) += series.points.size();
    }
  }
  CHECK(solid == 2);   // 2 and 4
  CHECK(dashed == 5);  // 1 and 2; 4, 8 and 16
  REQUIRE(chart.guides.size() == 1);
  CHECK(chart.guides.front().text == "knee 2 vCPU (1.5 … 3)");
}

TEST_CASE("charts: a flip of the choice is a mark on its input's row") {
  const auto data = test::small_report();
  const auto chart = tornado_chart(data.answer, *data.study);
  REQUIRE(chart.rows.size() == 2);
  REQUIRE(chart.rows.front().marks.size() == 1);
  CHECK(chart.rows.front().marks.front().at == 81.6);
  CHECK(spot_break_even(data.answer, *data.study) == test::approx(3));
}
