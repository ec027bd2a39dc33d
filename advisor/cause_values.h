// What the trees of explain are made of, besides their nodes.
#pragma once

#include <string>
#include <utility>

#include "models/estimate.h"

namespace rightsize {

// An input's tag, of where a number comes from.
[[nodiscard]] inline std::string tag(Source source) {
  return std::string(to_string(source));
}

// A number without an interval.
[[nodiscard]] inline Estimate exact(double value, std::string unit, Source source) {
  return {value, value, value, 1, std::move(unit), source};
}

}  // namespace rightsize
