#include "advisor/candidate/epoch.h"

#include <algorithm>

#include <fmt/format.h>

namespace rightsize {

double items_of_epoch(std::uint64_t items, int nodes, Phase phase, std::int64_t batch) {
  const double share = static_cast<double>(items) / nodes;
  return has_backward(phase) ? std::max(share, static_cast<double>(batch)) : share;
}

std::string update_beyond_data(std::uint64_t items, Phase phase, std::int64_t update_items) {
  return has_backward(phase) && static_cast<double>(update_items) > static_cast<double>(items)
             ? fmt::format(
                   "an update takes {} items and the data set has {}: an epoch is taken to "
                   "be one step at the least; ask for a smaller batch or fewer GPUs",
                   update_items,
                   items)
             : "";
}

}  // namespace rightsize
