// What the trees of explain are made of, besides their nodes.
#pragma once

#include <string>
#include <utility>

#include "advisor/explain/cause.h"
#include "advisor/recommendation.h"
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

// The price of a machine, with its date and source.
[[nodiscard]] Cause price_cause(const Option& option);

}  // namespace rightsize
