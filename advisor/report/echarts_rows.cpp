// The RowChart and the GridChart of echarts_option.h.
#include <algorithm>

#include <fmt/format.h>

#include "advisor/report/chart_scale.h"
#include "advisor/report/echarts_option.h"
#include "advisor/report/echarts_parts.h"
#include "advisor/report/grid_chart.h"
#include "rightsize_echarts.h"

namespace rightsize::report {
namespace {

namespace json = boost::json;

constexpr double bar_pitch = 8;
constexpr double row_gap = 10;
constexpr double line_height = 24;
constexpr double margins = 84;  // the key above, the axis below
constexpr double cell_height = 26;
constexpr int label_width = 240;        // pixels, at most
constexpr int narrow_label_width = 96;  // on a telephone

template <typename Text>
json::object words_of(const RowChart& chart, Text text) {
  std::vector<std::string> words;
  for (const auto& row : chart.rows) {
    words.push_back(text(row));
  }
  auto axis = word_axis(words);
  axis["inverse"] = true;
  axis["axisLine"] = {{"show", false}};
  return axis;
}

json::array bar_series(const RowChart& chart) {
  json::array all;
  for (std::size_t k = 0; k < chart.key.size(); ++k) {
    json::array data;
    for (const auto& row : chart.rows) {
      data.push_back(json::object{{"value", row.bars[k].value}, {"name", row.bars[k].hover}});
    }
    json::object series{{"type", "bar"},
                        {"name", chart.key[k].name},
                        {"itemStyle", {{"color", role_color(chart.key[k].role)}}},
                        {"emphasis", {{"disabled", true}}},
                        {"data", std::move(data)}};
    if (chart.stacked) {
      series["stack"] = "all";
      series["barWidth"] = line_height - 8;
    } else {
      series["barWidth"] = bar_pitch - 1;
      series["barGap"] = "14%";
    }
    all.push_back(std::move(series));
  }
  return all;
}

json::object dots(const char* symbol, const char* color, int size, json::array data) {
  return {{"type", "scatter"},
          {"symbol", symbol},
          {"symbolSize", size},
          {"itemStyle", {{"color", color}, {"borderColor", "var(--paper)"}, {"borderWidth", 0.8}}},
          {"z", 5},
          {"data", std::move(data)}};
}

// Low, high of the interval and of its inner part, and the row: drawn as two bars by draw.js.
json::object intervals(json::array data) {
  return {{"type", "custom"},
          {"renderItem", "intervals"},
          {"encode", {{"x", {0, 1}}, {"y", 4}}},
          {"silent", true},
          {"z", 4},
          {"data", std::move(data)}};
}

json::array dot_series(const RowChart& chart) {
  json::array strong;
  json::array others;
  json::array marks;
  json::array spans;
  for (std::size_t i = 0; i < chart.rows.size(); ++i) {
    const auto& row = chart.rows[i];
    const auto at = [&](double x, const std::string& hover) {
      return json::object{{"value", {x, i}}, {"name", hover}};
    };
    if (row.dot) {
      (row.strong ? strong : others).push_back(at(*row.dot, row.hover));
    }
    for (const auto& mark : row.marks) {
      marks.push_back(at(mark.at, mark.hover));
    }
    if (row.interval) {
      const auto inner = row.inner.value_or(Range{row.dot.value_or(0), row.dot.value_or(0)});
      spans.push_back(
          json::object{{"value", {row.interval->low, row.interval->high, inner.low, inner.high, i}},
                       {"itemStyle", {{"color", row.strong ? "var(--accent)" : "var(--one)"}}}});
    }
  }
  return {intervals(std::move(spans)),
          dots("circle", "var(--one)", 9, std::move(others)),
          dots("diamond", "var(--accent)", 12, std::move(strong)),
          dots("triangle", "var(--four)", 10, std::move(marks))};
}

json::array cell_series(const GridChart& chart) {
  const double smallest = smallest_value(chart);
  json::array all;
  for (std::size_t level = 0; level < grid_levels.size(); ++level) {
    json::array data;
    json::array texts;
    for (const auto& cell : chart.cells) {
      if (grid_level(cell.value, smallest) == level) {
        data.push_back(json::object{{"value", {cell.x, cell.y}}, {"name", cell.hover}});
        texts.push_back(json::object{{"text", cell.text}, {"strong", cell.strong}});
      }
    }
    all.push_back(json::object{{"type", "custom"},
                               {"name", grid_levels[level].name},
                               {"renderItem", "cells"},
                               {"itemStyle", {{"color", fmt::format("var(--heat-{})", level)}}},
                               {"ink", fmt::format("var(--on-heat-{})", level)},
                               {"cells", std::move(texts)},
                               {"data", std::move(data)}});
  }
  return all;
}

// On a narrow screen the labels and the notes give way to the bars; tables say both in full.
json::object for_narrow_screens() {
  const json::object words{
      {"axisLabel", {{"width", narrow_label_width}, {"overflow", "truncate"}, {"fontSize", 10}}}};
  return {{"query", {{"maxWidth", 520}}}, {"option", {{"yAxis", json::array{words, words}}}}};
}

json::object room_around(bool keyed) {
  return {{"left", 8},
          {"right", 8},
          {"top", keyed ? 42 : 22},
          {"bottom", 8},
          {"outerBoundsMode", "same"},
          {"outerBoundsContain", "all"}};
}

}  // namespace

std::optional<json::object> echarts_option(const RowChart& chart) {
  if (chart.rows.empty()) {
    return std::nullopt;
  }
  auto option = option_base(chart.title, chart.description);
  auto x = number_axis(chart.x, x_range(chart), chart.width / 2);
  x["nameLocation"] = "middle";
  x["nameGap"] = 26;
  option["xAxis"] = std::move(x);
  auto labels = words_of(chart, [](const ChartRow& row) { return row.label; });
  labels["axisLabel"].as_object()["width"] = label_width;
  labels["axisLabel"].as_object()["overflow"] = "truncate";
  auto notes = words_of(chart, [](const ChartRow& row) { return row.note; });
  notes["name"] = chart.note_title;
  notes["nameLocation"] = "start";
  notes["nameGap"] = 6;
  notes["nameTextStyle"].as_object()["align"] = "right";
  option["yAxis"] = json::array{std::move(labels), std::move(notes)};
  option["grid"] = room_around(!chart.key.empty());
  if (!chart.key.empty()) {
    option["legend"] = option_legend(chart.key);
  }
  auto series = chart.key.empty() ? dot_series(chart) : bar_series(chart);
  option["series"] = std::move(series);
  option["media"] = json::array{for_narrow_screens()};
  const bool one_line = chart.key.empty() || chart.stacked;
  const double row_height =
      one_line ? line_height : static_cast<double>(chart.key.size()) * bar_pitch + row_gap;
  return drawing(margins + row_height * static_cast<double>(chart.rows.size()), std::move(option));
}

std::optional<json::object> echarts_option(const GridChart& chart) {
  if (chart.cells.empty()) {
    return std::nullopt;
  }
  auto option = option_base(chart.title, chart.description);
  auto x = word_axis(chart.columns);
  x["axisLabel"].as_object()["hideOverlap"] = true;
  x["name"] = chart.x_title;
  x["nameLocation"] = "middle";
  x["nameGap"] = 26;
  auto y = word_axis(chart.rows);
  y["name"] = chart.y_title;
  y["nameTextStyle"].as_object()["align"] = "left";
  option["xAxis"] = std::move(x);
  option["yAxis"] = std::move(y);
  option["grid"] = room_around(true);
  std::vector<Series> key;
  for (const auto& level : grid_levels) {
    key.push_back({level.name, "one", Mark::dots, Shape::square, false, {}});
  }
  option["legend"] = option_legend(key);
  option["series"] = cell_series(chart);
  return drawing(margins + 16 + cell_height * static_cast<double>(chart.rows.size()),
                 std::move(option));
}

std::string_view echarts_library() {
  return embedded::echarts_b64();
}

std::string_view echarts_notice() {
  return embedded::echarts_notice_txt();
}

}  // namespace rightsize::report
