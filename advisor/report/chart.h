// What a chart shows, without how it looks: one description, drawn by two renderers. svg_chart,
// row_chart and grid_chart make static SVG, which reads without a script and on paper;
// echarts_option makes what the chart library of the page draws.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/report/axis.h"

namespace rightsize::report {

enum class Mark { dots, line, step, band };  // band: between y_range.low and .high
enum class Shape { circle, diamond, square, triangle };

struct ChartPoint {
  double x = 0;
  double y = 0;
  std::optional<Range> x_range;  // error bar, or the band
  std::optional<Range> y_range;
  std::string label;     // written beside the point; the first ones get the best places
  std::string hover;     // shown by the browser on the point
  std::string number{};  // written where the label finds no place; a table says what it means
};

struct Series {
  std::string name;          // in the legend; empty = not there
  std::string role = "one";  // CSS class role-*: chosen, frontier, muted, one .. four
  Mark mark = Mark::dots;
  Shape shape = Shape::circle;
  bool dashed = false;
  std::vector<ChartPoint> points;
};

// A line across the plot with its interval shaded; without an interval it is a limit, and all that
// lies beyond it is.
struct Guide {
  bool vertical = true;
  double at = 0;
  std::string text;
  std::optional<Range> interval;
};

struct AxisPlan {
  std::string title;  // with its unit
  Scale scale = Scale::linear;
  std::vector<double> ticks;  // empty: nice ones
  bool from_zero = false;
};

struct XyChart {
  std::string id;  // unique in the page
  std::string title;
  std::string description;  // what a person who cannot see it should know
  AxisPlan x;
  AxisPlan y;
  std::vector<Series> series;
  std::vector<Guide> guides;
  double width = 560;
  double height = 360;
  std::string when_empty = "There is nothing to draw.";
};

struct Bar {
  std::string role;
  double value = 0;
  std::string hover;
};

struct RowMark {
  double at = 0;
  std::string hover;
};

struct ChartRow {
  std::string label;
  std::string note;  // at the right edge
  bool strong = false;
  std::vector<Bar> bars;      // from the axis' start; as many and in the order of the chart's key
  std::optional<double> dot;  // with `interval` as its error bar
  std::optional<Range> interval;
  std::optional<Range> inner;  // the likelier part of the interval
  std::vector<RowMark> marks;  // small triangles on the row
  std::string hover;
};

struct RowChart {
  std::string id;
  std::string title;
  std::string description;
  AxisPlan x;
  std::optional<Range> fixed_range;  // of the axis; else as wide as the rows ask
  bool stacked = false;              // bars end to end; else one below the other
  std::string note_title;
  std::vector<Series> key;  // names and roles of the legend; no points
  std::vector<ChartRow> rows;
  double width = 760;
  std::string when_empty = "There is nothing to draw.";
};

struct GridCell {
  std::size_t x = 0;  // index of the column
  std::size_t y = 0;
  double value = 0;  // > 0; decides the colour, by its ratio to the smallest
  std::string text;  // short: written into the cell
  std::string hover;
  bool strong = false;
};

// A table of coloured cells; those that are not listed stay empty.
struct GridChart {
  std::string id;
  std::string title;
  std::string description;
  std::string x_title;
  std::string y_title;
  std::vector<std::string> columns;
  std::vector<std::string> rows;  // the first at the bottom
  std::vector<GridCell> cells;
  double width = 760;
  std::string when_empty = "There is nothing to draw.";
};

}  // namespace rightsize::report
