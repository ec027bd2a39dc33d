// What to know of as many machines as answer a load in time: many that hardly work, and how much
// their number hangs on how fast one of them proves to be.
#pragma once

#include <optional>

#include "advisor/recommendation.h"

namespace rightsize {

struct FewerFirst {
  int machines = 0;
  double chance = 0;  // that they answer in time
};

// Of a service's option of up to three machines, some of which are there for the confidence alone:
// as many as answer at the expected speed, which are rented first and looked at.
[[nodiscard]] std::optional<FewerFirst> fewer_first(const Query& query, const Option& option);

// Adds to the warnings of an answer that chose; nothing where it is no service.
void warn_of_fleet(Recommendation& answer);

}  // namespace rightsize
