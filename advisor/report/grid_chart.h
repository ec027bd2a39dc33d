// A chart of coloured cells as static SVG. Same conventions as svg_chart.
#pragma once

#include <array>
#include <string>

#include "advisor/report/chart.h"

namespace rightsize::report {

// Colours go by the ratio to the smallest value, in steps that people have words for. Level n is
// the CSS variable --heat-n, written on in --on-heat-n: cividis, which reads the same without red
// or green (Nunez, Anderton & Renslow, PLOS ONE 13 (2018)).
struct GridLevel {
  double up_to;  // ratio to the smallest value
  const char* name;
};
constexpr std::array<GridLevel, 6> grid_levels{{{1.1, "up to 1.1 x the least"},
                                                {1.5, "1.5 x"},
                                                {2, "2 x"},
                                                {3, "3 x"},
                                                {5, "5 x"},
                                                {1e300, "more"}}};

// The index into grid_levels of a value.
[[nodiscard]] std::size_t grid_level(double value, double smallest);
[[nodiscard]] double smallest_value(const GridChart& chart);

[[nodiscard]] std::string svg(const GridChart& chart);

}  // namespace rightsize::report
