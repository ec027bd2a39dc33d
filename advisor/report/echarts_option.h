// A chart as the option of Apache ECharts: the second renderer of chart.h, for the page's script
// (echarts/draw.js) to draw. Plain JSON: where ECharts wants a function, the name of one in draw.js
// stands. Colours are CSS variables, so that dark mode needs no new drawing.
#pragma once

#include <optional>
#include <string_view>

#include <boost/json/fwd.hpp>

#include "advisor/report/chart.h"

namespace rightsize::report {

// nullopt where the chart has nothing to draw. `height` in pixels is part of the answer, as the
// library draws into a box it is given: {"height": .., "option": {..}}.
[[nodiscard]] std::optional<boost::json::object> echarts_option(const XyChart& chart);
[[nodiscard]] std::optional<boost::json::object> echarts_option(const RowChart& chart);
[[nodiscard]] std::optional<boost::json::object> echarts_option(const GridChart& chart);

// The library as the page carries it (gzip, base64), and who wrote it; empty when it was not there
// at build time: the page then keeps its static charts.
[[nodiscard]] std::string_view echarts_library();
[[nodiscard]] std::string_view echarts_notice();

}  // namespace rightsize::report
