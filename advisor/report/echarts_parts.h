// What all charts of the page have in common, as parts of an ECharts option.
#pragma once

#include <string>
#include <vector>

#include <boost/json.hpp>

#include "advisor/report/chart.h"

namespace rightsize::report {

// "var(--one)": the CSS variable of a role.
[[nodiscard]] std::string role_color(const std::string& role);
[[nodiscard]] const char* symbol_of(Shape shape);

// An option with what is the same everywhere: no animation, a tooltip that shows the item's own
// text, the description for those who cannot see the chart.
[[nodiscard]] boost::json::object option_base(const std::string& title,
                                              const std::string& description);

// The key of the named series; one line that can be paged through on narrow screens.
[[nodiscard]] boost::json::object option_legend(const std::vector<Series>& named);

// An axis with numbers: its range and ticks are those of the static chart.
[[nodiscard]] boost::json::object number_axis(const AxisPlan& plan, Range range, double length);

// An axis of words.
[[nodiscard]] boost::json::object word_axis(const std::vector<std::string>& words);

// {"height": .., "option": ..}
[[nodiscard]] boost::json::object drawing(double height, boost::json::object option);

}  // namespace rightsize::report
