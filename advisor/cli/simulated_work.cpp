#include "advisor/cli/simulated_work.h"

#include <algorithm>

#include <fmt/format.h>

#include "advisor/query/usage_error.h"
#include "advisor/report/units.h"

namespace rightsize::cli {

std::uint64_t simulated_items(const Values& values, std::uint64_t fewest, double steps_of_each) {
  const auto& given = values["simulated-items"];
  const auto asked = given.as<std::uint64_t>();
  const auto most =
      std::max(fewest, static_cast<std::uint64_t>(most_simulated_steps / steps_of_each));
  if (asked == 0) {
    throw UsageError("--simulated-items 0: expected how many are played, as 20000");
  }
  if (asked < fewest) {
    throw UsageError(
        fmt::format("--simulated-items {}: the 99th percentile takes {} or more", asked, fewest));
  }
  if (asked > most && !given.defaulted()) {
    throw UsageError(fmt::format(
        "--simulated-items {}: at most {} are played here, which takes some seconds; more "
        "would not change the answer",
        asked,
        report::count(most)));
  }
  return std::min(asked, most);
}

}  // namespace rightsize::cli
