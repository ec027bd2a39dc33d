// A chart with one row per option: bars, or a dot in its interval. Same conventions as svg_chart.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/report/svg_chart.h"

namespace rightsize::report {

struct Bar {
  std::string role;
  double value = 0;
  std::string hover;
};

struct ChartRow {
  std::string label;
  std::string note;  // at the right edge
  bool strong = false;
  std::vector<Bar> bars;      // from the axis' start, one below the other
  std::optional<double> dot;  // with `interval` as its error bar
  std::optional<Range> interval;
  std::string hover;
};

struct RowChart {
  std::string id;
  std::string title;
  std::string description;
  AxisPlan x;
  std::optional<Range> fixed_range;  // of the axis; else as wide as the rows ask
  std::string note_title;
  std::vector<Series> key;  // names and roles of the legend; no points
  std::vector<ChartRow> rows;
  double width = 760;
  std::string when_empty = "There is nothing to draw.";
};

[[nodiscard]] std::string svg(const RowChart& chart);

}  // namespace rightsize::report
