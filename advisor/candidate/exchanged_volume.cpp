#include "advisor/candidate/exchanged_volume.h"

#include "advisor/query/exchanged_money.h"

namespace rightsize {

std::optional<VolumeClass> exchanged_volume(const VolumeClass& volume,
                                            const std::string& currency,
                                            const Query& query) {
  auto other = volume;
  for (auto* price :
       {&other.price_per_gib_month, &other.price_per_iops_month, &other.price_per_mbps_month}) {
    *price = *price ? exchanged(**price, currency, query) : std::nullopt;
  }
  return other.price_per_gib_month ? std::optional(std::move(other)) : std::nullopt;
}

}  // namespace rightsize
