// A chart of points, lines, steps and bands over two axes as one static SVG element. Colours come
// from the page's CSS (a class per role), so that it follows dark mode and print.
#pragma once

#include <string>

#include "advisor/report/chart.h"

namespace rightsize::report {

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
