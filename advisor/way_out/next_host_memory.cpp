#include "advisor/way_out/next_host_memory.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace rightsize {

void add_host_memory_step(const Evidence& evidence,
                          const Recommendation& answer,
                          std::vector<std::string>& steps) {
  if (!answer.query.memory_gib_max ||
      std::none_of(answer.rejected.begin(), answer.rejected.end(), [](const Rejection& one) {
        return one.lacking == Lacking::host_memory;
      })) {
    return;
  }
  Query open = answer.query;
  open.memory_gib_max.reset();
  SearchOptions all;
  all.max_options = std::numeric_limits<std::size_t>::max();
  all.draws = 1;
  const auto found = search(open, evidence, all);
  const Option* least = nullptr;
  for (const auto& option : found.options) {
    if (option.satisfies && option.memory_gib > 0 &&
        (least == nullptr || option.memory_gib < least->memory_gib)) {
      least = &option;
    }
  }
  if (least != nullptr) {
    steps.push_back(
        fmt::format("host memory is too small within --memory-max {:g}: with --memory-max {:g} "
                    "{}/{} does it",
                    *answer.query.memory_gib_max,
                    std::ceil(least->memory_gib * 100) / 100,
                    least->provider,
                    least->instance));
  }
}

}  // namespace rightsize
