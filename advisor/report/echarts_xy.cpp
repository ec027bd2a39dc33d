// The XyChart of echarts_option.h.
#include <algorithm>

#include "advisor/report/chart_scale.h"
#include "advisor/report/echarts_option.h"
#include "advisor/report/echarts_parts.h"

namespace rightsize::report {
namespace {

namespace json = boost::json;

constexpr double key_height = 24;
constexpr double title_height = 22;
constexpr double grid_sides = 110;  // about what labels and margins take of the width

constexpr double guide_row = 16;  // above the plot, for the words of a line that stands

bool has_standing_guide(const XyChart& chart) {
  return std::any_of(
      chart.guides.begin(), chart.guides.end(), [](const auto& guide) { return guide.vertical; });
}

json::value or_null(const std::optional<Range>& range, double Range::*end) {
  return range ? json::value((*range).*end) : json::value(nullptr);
}

json::object dots(const Series& series) {
  json::array data;
  for (const auto& point : series.points) {
    data.push_back(json::object{{"value", {point.x, point.y}}, {"name", point.hover}});
  }
  return {
      {"type", "scatter"},
      {"name", series.name},
      {"symbol", symbol_of(series.shape)},
      {"symbolSize", series.shape == Shape::diamond ? 12 : 9},
      {"itemStyle",
       {{"color", role_color(series.role)}, {"borderColor", "var(--paper)"}, {"borderWidth", 0.8}}},
      {"z", 5},
      {"data", std::move(data)}};
}

// One item per point with error bars: x, its ends, y, its ends.
std::optional<json::object> error_bars(const Series& series) {
  json::array data;
  for (const auto& point : series.points) {
    if (point.x_range || point.y_range) {
      data.push_back(json::array{point.x,
                                 or_null(point.x_range, &Range::low),
                                 or_null(point.x_range, &Range::high),
                                 point.y,
                                 or_null(point.y_range, &Range::low),
                                 or_null(point.y_range, &Range::high)});
    }
  }
  if (data.empty()) {
    return std::nullopt;
  }
  return json::object{{"type", "custom"},
                      {"name", series.name},
                      {"renderItem", "errorBars"},
                      {"encode", {{"x", {0, 1, 2}}, {"y", {3, 4, 5}}}},
                      {"itemStyle", {{"color", role_color(series.role)}}},
                      {"silent", true},
                      {"clip", true},
                      {"z", 4},
                      {"data", std::move(data)}};
}

// One item that holds the whole band: x, low, high of every point, one after the other.
json::object band(const Series& series) {
  json::array values;
  json::array of_x;
  json::array of_y;
  for (const auto& point : series.points) {
    const auto range = point.y_range.value_or(Range{point.y, point.y});
    of_x.emplace_back(values.size());
    of_y.emplace_back(values.size() + 1);
    of_y.emplace_back(values.size() + 2);
    values.emplace_back(point.x);
    values.emplace_back(range.low);
    values.emplace_back(range.high);
  }
  return {{"type", "custom"},
          {"name", series.name},
          {"renderItem", "band"},
          {"encode", {{"x", std::move(of_x)}, {"y", std::move(of_y)}}},
          {"itemStyle", {{"color", role_color(series.role)}}},
          {"silent", true},
          {"clip", true},
          {"z", 1},
          {"data", json::array{json::value(std::move(values))}}};
}

json::object line(const Series& series) {
  json::array data;
  for (const auto& point : series.points) {
    data.push_back(json::array{point.x, point.y});
  }
  json::object option{{"type", "line"},
                      {"name", series.name},
                      {"showSymbol", false},
                      {"silent", true},
                      {"itemStyle", {{"color", role_color(series.role)}}},
                      {"lineStyle",
                       {{"color", role_color(series.role)},
                        {"width", 1.8},
                        {"type", series.dashed ? "dashed" : "solid"}}},
                      {"z", 3},
                      {"data", std::move(data)}};
  if (series.mark == Mark::step) {
    option["step"] = "end";
  }
  return option;
}

// Lines across the plot with what they shade, in a series of their own.
json::object guides(const XyChart& chart, Range x, Range y) {
  json::array lines;
  json::array areas;
  for (const auto& guide : chart.guides) {
    const char* axis = guide.vertical ? "xAxis" : "yAxis";
    const auto& whole = guide.vertical ? x : y;
    const Range shaded = guide.interval.value_or(Range{guide.at, whole.high});
    lines.push_back(json::object{{axis, guide.at}});
    areas.push_back(json::array{json::object{{axis, std::max(shaded.low, whole.low)}},
                                json::object{{axis, std::min(shaded.high, whole.high)}}});
  }
  return {
      {"type", "line"},
      {"data", json::array{}},
      {"silent", true},
      {"markLine",
       {{"silent", true},
        {"symbol", "none"},
        {"label", {{"show", false}}},
        {"lineStyle", {{"color", "var(--accent)"}, {"type", "dashed"}, {"width", 1.2}}},
        {"data", std::move(lines)}}},
      {"markArea",
       {{"silent", true}, {"itemStyle", {{"color", "var(--shade)"}}}, {"data", std::move(areas)}}}};
}

// All texts of the plot in one series, as labels.js finds them their places one by one: those of
// guides come first, then what is drawn last, which is what matters most.
std::optional<json::object> labels(const XyChart& chart, Range x, Range y) {
  json::array texts;
  json::array data;
  for (const auto& guide : chart.guides) {
    texts.push_back(
        json::object{{"text", guide.text}, {"guide", guide.vertical ? "up" : "across"}});
    data.push_back(guide.vertical ? json::array{guide.at, y.low} : json::array{x.low, guide.at});
  }
  for (auto series = chart.series.rbegin(); series != chart.series.rend(); ++series) {
    for (const auto& point : series->points) {
      if (!point.label.empty()) {
        texts.push_back(json::object{{"text", point.label}, {"number", point.number}});
        data.push_back(json::array{point.x, point.y});
      }
    }
  }
  if (texts.empty()) {
    return std::nullopt;
  }
  return json::object{{"type", "custom"},
                      {"renderItem", "labels"},
                      {"labels", std::move(texts)},
                      {"encode", {{"x", 0}, {"y", 1}}},
                      {"tooltip", {{"show", false}}},
                      {"silent", true},
                      {"z", 6},
                      {"data", std::move(data)}};
}

json::array all_series(const XyChart& chart, Range x, Range y) {
  json::array all;
  for (const auto& series : chart.series) {
    if (series.mark == Mark::band) {
      all.push_back(band(series));
    } else if (series.mark == Mark::dots) {
      if (auto bars = error_bars(series)) {
        all.push_back(*std::move(bars));
      }
      all.push_back(dots(series));
    } else {
      all.push_back(line(series));
    }
  }
  if (!chart.guides.empty()) {
    all.push_back(guides(chart, x, y));
  }
  if (auto texts = labels(chart, x, y)) {
    all.push_back(*std::move(texts));
  }
  return all;
}

}  // namespace

std::optional<json::object> echarts_option(const XyChart& given) {
  const auto chart = cleaned(given);
  if (chart.series.empty()) {
    return std::nullopt;
  }
  const auto x = x_range(chart);
  const auto y = y_range(chart);
  const bool keyed = std::any_of(
      chart.series.begin(), chart.series.end(), [](const auto& one) { return !one.name.empty(); });
  const double top = title_height + (keyed ? key_height : 0);
  auto option = option_base(chart.title, chart.description);
  auto across = number_axis(chart.x, x, chart.width - grid_sides);
  across["nameLocation"] = "middle";
  across["nameGap"] = 26;
  auto up = number_axis(chart.y, y, chart.height - 2 * top);
  up["nameTextStyle"].as_object()["align"] = "left";
  up["nameGap"] = has_standing_guide(chart) ? 10 + guide_row : 10;
  option["xAxis"] = std::move(across);
  option["yAxis"] = std::move(up);
  option["grid"] = {{"left", 8},
                    {"right", 16},
                    {"top", top},
                    {"bottom", 8},
                    {"outerBoundsMode", "same"},
                    {"outerBoundsContain", "all"}};
  if (keyed) {
    option["legend"] = option_legend(chart.series);
  }
  // Ctrl and the wheel, so that the page still scrolls; nothing is filtered away meanwhile.
  option["dataZoom"] = json::array{{{"type", "inside"},
                                    {"xAxisIndex", 0},
                                    {"yAxisIndex", 0},
                                    {"filterMode", "none"},
                                    {"zoomOnMouseWheel", "ctrl"},
                                    {"moveOnMouseMove", "ctrl"},
                                    {"moveOnMouseWheel", false},
                                    {"preventDefaultMouseMove", false}}};
  option["series"] = all_series(chart, x, y);
  return drawing(chart.height, std::move(option));
}

}  // namespace rightsize::report
