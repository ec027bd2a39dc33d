#include "advisor/report/svg_legend.h"

#include <fmt/format.h>

#include "advisor/report/label_placer.h"
#include "advisor/report/svg_chart.h"
#include "advisor/report/svg_shape.h"

namespace rightsize::report {
namespace {

constexpr double row_height = 16;
constexpr double swatch_width = 20;
constexpr double gap = 14;
constexpr double font_size = 11;

std::string swatch(const Series& series, double x, double y) {
  switch (series.mark) {
    case Mark::dots:
      return svg_shape(series.shape, x + 8, y, 4);
    case Mark::band:
      return fmt::format(
          R"(<rect class="band" x="{:.1f}" y="{:.1f}" width="16" height="10"/>)", x, y - 5);
    case Mark::line:
    case Mark::step:
      break;
  }
  return fmt::format(
      R"(<path class="line{}" d="M{:.1f} {:.1f}h16"/>)", series.dashed ? " dashed" : "", x, y);
}

}  // namespace

Legend legend(const std::vector<Series>& series, double left, double top, double right) {
  Legend result;
  double x = left;
  double y = top + row_height / 2;
  for (const auto& one : series) {
    if (one.name.empty()) {
      continue;
    }
    const double width = swatch_width + text_width(one.name, font_size) + gap;
    if (x > left && x + width > right) {
      x = left;
      y += row_height;
    }
    result.svg += fmt::format(R"(<g class="role-{}">)", one.role) + swatch(one, x, y) + "</g>" +
                  svg_text(x + swatch_width, y + 4, "start", "key", one.name);
    x += width;
    result.height = y + row_height / 2 - top;
  }
  return result;
}

}  // namespace rightsize::report
