#include "pricing/reserved_use.h"

#include <algorithm>

#include <fmt/format.h>

#include "pricing/monthly.h"
#include "pricing/offer.h"

namespace rightsize {

ReservedUse reserved_use(std::chrono::seconds time,
                         std::optional<int> percent,
                         std::optional<double> runs_per_month) {
  if (percent && (*percent < 1 || *percent > 100)) {
    throw PricingError(fmt::format("a utilisation of {} %: expected 1 to 100", *percent));
  }
  if (percent) {
    return {100 - *percent, *percent, fmt::format("{} % used, as given", *percent)};
  }
  if (!runs_per_month || time.count() == 0) {
    return {};
  }
  const auto paid = std::max(time, share_of_months(time, *runs_per_month));
  const double share = static_cast<double>(time.count()) / static_cast<double>(paid.count());
  return {(paid - time).count(),
          time.count(),
          fmt::format("{:.3g} % used by {:g} runs a month", 100 * share, *runs_per_month)};
}

}  // namespace rightsize
