// The tree of an explanation rendered.
#pragma once

#include <string>

#include "advisor/explain/cause.h"
#include "advisor/report/style.h"

namespace rightsize::report {

// A node a line with its value, formula and tag; below it its inputs and where it comes from.
[[nodiscard]] std::string cause_text(const Cause& cause, const Style& style);

}  // namespace rightsize::report
