#include "advisor/report/svg_shape.h"

#include <fmt/format.h>

#include "advisor/report/escape.h"

namespace rightsize::report {
namespace {

std::string outline(Shape shape, double x, double y, double r) {
  switch (shape) {
    case Shape::circle:
      return fmt::format(
          "M{:.1f} {:.1f}a{r:.1f} {r:.1f} 0 1 0 {d:.1f} 0a{r:.1f} {r:.1f} 0 1 0 "
          "-{d:.1f} 0z",
          x - r,
          y,
          fmt::arg("r", r),
          fmt::arg("d", 2 * r));
    case Shape::diamond:
      return fmt::format("M{:.1f} {:.1f}l{r:.1f} {r:.1f}l-{r:.1f} {r:.1f}l-{r:.1f} -{r:.1f}z",
                         x,
                         y - 1.25 * r,
                         fmt::arg("r", 1.25 * r));
    case Shape::square:
      return fmt::format(
          "M{:.1f} {:.1f}h{d:.1f}v{d:.1f}h-{d:.1f}z", x - r, y - r, fmt::arg("d", 2 * r));
    case Shape::triangle:
      return fmt::format(
          "M{:.1f} {:.1f}l{:.1f} {:.1f}h-{:.1f}z", x, y - 1.2 * r, 1.2 * r, 2.1 * r, 2.4 * r);
  }
  return "";
}

}  // namespace

std::string svg_shape(Shape shape, double x, double y, double radius, std::string_view hover) {
  const auto path = outline(shape, x, y, radius);
  return hover.empty() ? fmt::format(R"(<path class="dot" d="{}"/>)", path)
                       : fmt::format(R"(<path class="dot" d="{}"><title>{}</title></path>)",
                                     path,
                                     escape_html(hover));
}

}  // namespace rightsize::report
