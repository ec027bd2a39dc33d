// The pieces that the sections of the page are made of. Everything that came from outside is
// escaped here.
#pragma once

#include <string>
#include <vector>

#include "advisor/report/chart.h"

namespace rightsize::report {

[[nodiscard]] std::string paragraph(const std::string& text);
[[nodiscard]] std::string list(const std::vector<std::string>& items, const char* css_class);

enum class Fold { open, closed, long_list };  // long lists stay away from paper
[[nodiscard]] std::string folded(const std::string& summary,
                                 const std::string& content,
                                 Fold fold = Fold::closed);

// The static chart with, where the page carries the library, the option that is drawn in its
// place. `css_class`: "wide", "small" or "".
[[nodiscard]] std::string figure(const XyChart& chart, const char* css_class = "");
[[nodiscard]] std::string figure(const RowChart& chart, const char* css_class = "");
[[nodiscard]] std::string figure(const GridChart& chart, const char* css_class = "");

// The script that draws the charts anew, where it was built in, and the page's last line about it.
[[nodiscard]] std::string chart_library();
[[nodiscard]] std::string colophon();

}  // namespace rightsize::report
