#include "advisor/report/echarts_parts.h"

#include <fmt/format.h>

#include "advisor/report/chart_scale.h"

namespace rightsize::report {

namespace json = boost::json;

std::string role_color(const std::string& role) {
  return fmt::format("var(--{})", role == "frontier" ? "one" : role == "chosen" ? "accent" : role);
}

const char* symbol_of(Shape shape) {
  switch (shape) {
    case Shape::diamond:
      return "diamond";
    case Shape::square:
      return "rect";
    case Shape::triangle:
      return "triangle";
    case Shape::circle:
      break;
  }
  return "circle";
}

namespace {

// What stands for a series in the key: its mark, or a piece of its line or band.
std::string icon_of(const Series& series) {
  switch (series.mark) {
    case Mark::dots:
      return symbol_of(series.shape);
    case Mark::band:
      return "rect";
    case Mark::line:
    case Mark::step:
      break;
  }
  return series.dashed ? "path://M0 0h6v2h-6zM10 0h6v2h-6z" : "path://M0 0h16v2h-16z";
}

}  // namespace

json::object option_base(const std::string& title, const std::string& description) {
  json::object label{{"description", title + ". " + description}};
  return {{"animation", false},
          {"backgroundColor", "transparent"},
          {"textStyle",
           {{"color", "var(--ink)"}, {"fontFamily", "system-ui, sans-serif"}, {"fontSize", 11}}},
          {"aria", {{"enabled", true}, {"label", std::move(label)}}},
          {"tooltip",
           {{"trigger", "item"},
            {"confine", true},
            {"formatter", "{b}"},
            {"backgroundColor", "var(--raised)"},
            {"borderColor", "var(--line)"},
            {"textStyle", {{"color", "var(--ink)"}, {"fontSize", 12}}},
            {"extraCssText", "white-space:normal;max-width:22rem"}}}};
}

json::object option_legend(const std::vector<Series>& named) {
  json::array names;
  for (const auto& series : named) {
    if (!series.name.empty()) {
      names.push_back(json::object{{"name", series.name}, {"icon", icon_of(series)}});
    }
  }
  return {{"type", "scroll"},
          {"top", 0},
          {"left", 0},
          {"right", 0},
          {"itemWidth", 14},
          {"itemHeight", 8},
          {"itemGap", 16},
          {"textStyle", {{"color", "var(--quiet)"}, {"fontSize", 11}}},
          {"inactiveColor", "var(--line)"},
          {"pageIconColor", "var(--ink)"},
          {"pageIconInactiveColor", "var(--line)"},
          {"pageTextStyle", {{"color", "var(--quiet)"}}},
          {"data", std::move(names)}};
}

json::object number_axis(const AxisPlan& plan, Range range, double length) {
  // Twelve digits: the library would write 3.8000000000000003 as it is, and hide what is too long.
  json::array ticks;
  for (const double tick : axis_ticks(plan, range, length)) {
    ticks.emplace_back(std::stod(fmt::format("{:.12g}", tick)));
  }
  return {
      {"type", plan.scale == Scale::logarithmic ? "log" : "value"},
      {"min", range.low},
      {"max", range.high},
      {"name", plan.title},
      {"nameTextStyle", {{"color", "var(--quiet)"}}},
      {"axisLine", {{"show", true}, {"lineStyle", {{"color", "var(--quiet)"}}}}},
      {"axisTick", {{"customValues", ticks}}},
      {"axisLabel", {{"customValues", ticks}, {"color", "var(--quiet)"}, {"hideOverlap", true}}},
      {"splitLine", {{"show", true}, {"lineStyle", {{"color", "var(--line)"}}}}}};
}

json::object word_axis(const std::vector<std::string>& words) {
  return {{"type", "category"},
          {"data", json::value_from(words)},
          {"nameTextStyle", {{"color", "var(--quiet)"}}},
          {"axisTick", {{"show", false}}},
          {"axisLine", {{"lineStyle", {{"color", "var(--quiet)"}}}}},
          {"axisLabel", {{"color", "var(--ink)"}, {"interval", 0}}}};
}

json::object drawing(double height, json::object option) {
  return {{"height", height}, {"option", std::move(option)}};
}

}  // namespace rightsize::report
