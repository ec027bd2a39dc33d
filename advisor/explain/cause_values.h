// What the trees of explain are made of, besides their nodes.
#pragma once

#include <string>
#include <utility>

#include "advisor/explain/cause.h"
#include "advisor/query/query.h"
#include "advisor/recommendation.h"
#include "models/estimate.h"

namespace rightsize {

// An input's tag, of where a number comes from.
[[nodiscard]] inline std::string tag(Source source) {
  return std::string(to_string(source));
}

// The tags of the batch, and of how many machines there are: nearly always fewer are allowed, too.
[[nodiscard]] inline std::string batch_tag(const Query& query) {
  return query.batches.size() == 1 ? "given" : "chosen";
}
[[nodiscard]] inline std::string machines_tag(const Option& option) {
  return option.own ? "given" : "chosen";
}

// A number without an interval.
[[nodiscard]] inline Estimate exact(double value, std::string unit, Source source) {
  return {value, value, value, 1, std::move(unit), source};
}

// The price of a machine, with its date and source.
[[nodiscard]] Cause price_cause(const Option& option);

}  // namespace rightsize
