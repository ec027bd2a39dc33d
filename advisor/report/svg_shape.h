// The marks of points: told apart by shape as well as by colour.
#pragma once

#include <string>
#include <string_view>

#include "advisor/report/chart.h"

namespace rightsize::report {

// Centred on (x, y); `hover` becomes the mark's own <title>.
[[nodiscard]] std::string svg_shape(
    Shape shape, double x, double y, double radius, std::string_view hover = {});

}  // namespace rightsize::report
