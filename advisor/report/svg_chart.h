// A chart of points, lines, steps and bands over two axes as one static SVG element. Colours come
// from the page's CSS (a class per role), so that it follows dark mode and print.
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
  std::string label;  // written beside the point; the first ones get the best places
  std::string hover;  // shown by the browser on the point
};

struct Series {
  std::string name;          // in the legend; empty = not there
  std::string role = "one";  // CSS class role-*: chosen, frontier, muted, one .. four
  Mark mark = Mark::dots;
  Shape shape = Shape::circle;
  bool dashed = false;
  std::vector<ChartPoint> points;
};

// A line across the plot, with everything beyond it shaded.
struct Guide {
  bool vertical = true;
  double at = 0;
  std::string text;
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

// Points that are not finite, or not positive on a logarithmic axis, are left out; with none left
// the answer is a paragraph that says `when_empty`.
[[nodiscard]] std::string svg(const XyChart& chart);

// The opening tag with role, <title> and <desc>; shared with the other charts.
[[nodiscard]] std::string svg_open(const std::string& id,
                                   const std::string& title,
                                   const std::string& description,
                                   double width,
                                   double height);
[[nodiscard]] std::string svg_text(
    double x, double y, const char* anchor, const char* css_class, std::string_view text);
[[nodiscard]] std::string absent(const std::string& sentence);

}  // namespace rightsize::report
