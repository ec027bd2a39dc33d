// A chart in a terminal: the third renderer of chart.h, in a grid of characters.
#pragma once

#include <string>

#include "advisor/report/chart.h"
#include "advisor/report/style.h"

namespace rightsize::report {

enum class Letters { ascii, utf8 };

// As wide as style.width, or 80 columns where there is no terminal. Points are marks, lines dots,
// bands are left out; a guide is a bar with its text above. Empty where there is nothing to draw.
[[nodiscard]] std::string text_chart(const XyChart& chart, const Style& style, Letters letters);

}  // namespace rightsize::report
